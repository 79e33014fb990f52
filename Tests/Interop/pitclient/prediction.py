"""An axis foretold and taught (§5, Candidates and Learning)."""

LIMITS = (2.2, 1.6, 2.2, 1.6)
AGES = (14.0, 4.0, 14.0, 4.0)


def candidates(axis, acceleration, fall):
    """The eight places where the axis may be next."""
    position = axis.position
    velocity = position - axis.before
    ahead = position + velocity
    level, slope = axis.level, axis.slope
    return (
        float(position),
        ahead + 0.5 * acceleration,
        position + 0.5 * velocity,
        ahead + acceleration,
        level[0] + slope[0],
        level[1] + slope[1],
        level[2] + slope[2] + fall,
        level[3] + slope[3] + fall,
    )


def blend(axis, places):
    """The candidates' mean, those that erred less weighing more."""
    position = axis.position
    weights, pulls = [], []
    for error, place in zip(axis.error, places):
        e = error + 0.15
        s = e * e
        weight = 1 / (s * s)
        weights.append(weight)
        pulls.append(weight * (place - position))
    return position + _sum(pulls) / _sum(weights)


def _sum(v):
    # Sums of doubles depend on their order; this is the document's.
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))


def learn(axis, x, places, blended, fall, step):
    """The axis is at x now: errors, noise and the four filters follow."""
    error = axis.error
    axis.error = [e * 0.8 + abs(x - c) for e, c in zip(error, places)]
    axis.noise = axis.noise * 0.75 + abs(x - blended)
    position = axis.position
    level, slope, ages = axis.level, axis.slope, axis.age
    for i in range(4):
        c = places[4 + i]
        miss = x - c
        if LIMITS[i] * step - abs(miss) < 0:
            level[i], slope[i], ages[i] = float(x), float(x - position), 2.0
            continue
        age = min(ages[i] + 1, AGES[i])
        share = 1 / (age * (age + 1))
        level[i] = c + (4 * age - 2) * share * miss
        slope[i] = slope[i] + (fall if i >= 2 else 0.0) + 6 * share * miss
        ages[i] = age
    axis.before, axis.position = position, x
