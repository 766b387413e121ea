/** The name that an option was given. Throws a sentence for the operator where it is none of these. */
export function oneOfOption<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === text);
  if (name === undefined)
    throw new Error(`--${option} must be one of ${names.join(', ')}; found ${JSON.stringify(text)}`);
  return name;
}
