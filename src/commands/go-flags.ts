import { nearest } from '../domain/nearest.ts';
import { wrongCommandLine, type Refusal } from './command.ts';
import { commandHelp } from './command-help.ts';
import type { Flag } from './flag.ts';
import { readGoBool } from './go-values.ts';

/** Flags by the names of their values: `configFile` is given as `--config-file`. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type FlagValues<Declared extends Flags> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Flag<infer Value> ? Value : never;
};

/** A readable command line. `given` are the flags that stand on it, `operands` what follows them. */
type ParsedFlags<Declared extends Flags> = Readonly<{
  ok: true;
  values: FlagValues<Declared>;
  given: ReadonlySet<keyof Declared>;
  operands: readonly string[];
}>;

export type FlagSet<Declared extends Flags> = Readonly<{
  parse(args: readonly string[]): ParsedFlags<Declared> | Refusal;
}>;

/**
 * Reads flags as Go's `flag` package does (SPEC 1.2): one dash or two, `--x=v` or `--x v`, booleans bare or `=true`, the
 * last one wins, `--` or the first other argument ends them. Nothing may follow them, unless `operands` names it (`FILE…`):
 * then something must. The first thing that cannot be read ends it with a line that names it; `-h` and `--help` answer
 * with the help text.
 *
 *     const flags = flagSet('simulate', { shoots: intFlag({ default: 5, help: '…' }) });
 *     const parsed = flags.parse(args);
 *     if (!parsed.ok) return refuse(parsed, io);
 *     parsed.values.shoots satisfies number;
 */
export function flagSet<Declared extends Flags>(
  command: string,
  declared: Declared,
  { operands }: Readonly<{ operands?: string }> = {},
): FlagSet<Declared> {
  const byName = new Map(Object.entries(declared).map(([key, flag]) => [dashed(key), { key, flag }]));
  const wrong = (message: string) => wrongCommandLine(command, message);

  function parse(args: readonly string[]): ParsedFlags<Declared> | Refusal {
    const values = new Map<string, unknown>(Object.entries(declared).map(([key, flag]) => [key, flag.initial]));
    const given = new Set<string>();
    let lastBare: string | undefined;
    let next = 0;

    for (; next < args.length; next++) {
      const argument = args[next] ?? '';
      if (!argument.startsWith('-') || argument === '-') break;
      if (argument === '--') {
        next += 1;
        break;
      }
      const [, name, inline] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
      if (name === undefined) return wrong(`${JSON.stringify(argument)} is not a flag`);

      const known = byName.get(name);
      if (known === undefined && (name === 'h' || name === 'help')) {
        return { ok: false, help: true, message: commandHelp(command, byName, operands) };
      }
      if (known === undefined) return wrong(`unknown flag --${name}${hint(name)}`);

      const isBool = known.flag.placeholder === undefined;
      const text = inline ?? (isBool ? 'true' : args[++next]);
      if (text === undefined) return wrong(`--${name} needs a value, as in --${name}=${known.flag.placeholder}`);
      const reading = known.flag.read(text);
      if (!reading.ok) return wrong(`--${name} ${reading.because}; found ${found(text, reading.hint)}`);
      values.set(known.key, reading.value);
      given.add(known.key);
      lastBare = isBool && inline === undefined ? name : undefined;
    }

    const rest = args.slice(next);
    const isFlag = (argument: string) => args[next - 1] !== '--' && argument.startsWith('-') && argument !== '-';
    const stray = operands === undefined ? rest[0] : rest.find(isFlag);
    if (stray !== undefined) return wrong(unexpected(stray, given, rest.length === 1 ? lastBare : undefined));
    if (operands !== undefined && rest.length === 0) return wrong(`${operands} is missing`);
    for (const [name, { key, flag }] of byName) {
      if (flag.required === true && !given.has(key)) return wrong(`--${name}=${flag.placeholder} is missing`);
    }
    return {
      ok: true,
      values: Object.fromEntries(values) as FlagValues<Declared>,
      given,
      operands: rest,
    };
  }

  function unexpected(argument: string, given: ReadonlySet<string>, lastBare: string | undefined): string {
    const stray = `unexpected argument ${JSON.stringify(argument)}`;
    if (lastBare !== undefined && readGoBool(argument).ok) return `${stray}; write --${lastBare}=${argument}`;
    if (operands !== undefined) return `${stray}; flags come before ${operands}`;
    if (argument === 'help') return `${stray}; write --help`;
    const [word = ''] = argument.split('=');
    const file = [...byName].find(([, { flag }]) => flag.placeholder === 'FILE');
    const isPath = /[./]/.test(argument) || argument === '-';
    if (!isPath || hint(word) !== '' || file === undefined || given.has(file[1].key)) return stray + hint(word);
    return `${stray}; write --${file[0]}=${argument}`;
  }

  function hint(word: string): string {
    const closest = nearest(word, byName.keys());
    return closest === undefined ? '' : `; did you mean --${closest}?`;
  }

  return { parse };
}

function found(text: string, hint: string | undefined): string {
  return hint === undefined ? JSON.stringify(text) : `${JSON.stringify(text)}: ${hint}`;
}

/** `kubeApiQps` is `kube-api-qps` on the command line. */
export function dashed(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
