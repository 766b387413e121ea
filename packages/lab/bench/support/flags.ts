import { parseArgs } from 'node:util';

type Values<Defaults> = {
  readonly [Name in keyof Defaults]: Defaults[Name] extends number
    ? number
    : Defaults[Name] extends boolean
      ? boolean
      : string;
};

/**
 * The options of a bench, each with what it is unless it is given: a number takes a number, and throws at another word, which would measure
 * something else in silence. `--no-NAME` turns a switch off.
 */
export function flags<Defaults extends Readonly<Record<string, number | string | boolean>>>(
  defaults: Defaults,
): Values<Defaults> {
  const options = Object.entries(defaults).map(([name, usual]) =>
    typeof usual === 'boolean'
      ? ([name, { type: 'boolean', default: usual }] as const)
      : ([name, { type: 'string', default: String(usual) }] as const),
  );
  const { values } = parseArgs({ allowNegative: true, options: Object.fromEntries(options) });
  const read = Object.entries(values).map(([name, value]) => {
    if (typeof defaults[name] !== 'number') return [name, value];
    if (Number.isNaN(Number(value))) throw new Error(`--${name} takes a number, and not ${String(value)}`);
    return [name, Number(value)];
  });
  return Object.fromEntries(read) as Values<Defaults>;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
