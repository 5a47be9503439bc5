/** A number with its word: `1 step`, `2 steps`, `2 classes`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
