// @ts-check

/** 16 hexadecimal digits. @param {bigint} number of 64 bits */
export function digits(number) {
  return BigInt.asUintN(64, number).toString(16).padStart(16, "0");
}

/** @param {number} rgb */
export function hexColour(rgb) {
  return `#${(rgb & 0xffffff).toString(16).padStart(6, "0")}`;
}
