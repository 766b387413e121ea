/** The whole number that an option was given. Throws a sentence for the operator where it is none, or less than `least`. */
export function countOption(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(
      `--${name} must be a whole number${least === -Infinity ? '' : `, at least ${least}`}; found ${JSON.stringify(text)}`,
    );
  return value;
}
