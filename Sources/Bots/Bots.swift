// Bots
