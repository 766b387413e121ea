import * as fc from 'fast-check';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { flagSetOf } from '../../src/commands/completion/completed-commands.ts';
import { commandWords, isCommand, programUsage } from '../../src/commands/usage.ts';
import {
  boolFlag,
  choiceFlag,
  durationFlag,
  floatFlag,
  intFlag,
  requiredFlag,
  stringFlag,
} from '../../src/commands/flag.ts';
import { flagSet } from '../../src/commands/go-flags.ts';

const flags = flagSet('simulate', {
  configFile: stringFlag({ placeholder: 'FILE', help: 'a configuration' }),
  shoots: intFlag({ default: 5, least: 1, most: 100, help: 'how many shoots' }),
  speed: floatFlag({ default: 1.5, help: 'how fast' }),
  pauseBetween: durationFlag({ default: 90_000, least: 0, help: 'how long' }),
  weather: choiceFlag({ choices: ['Calm', 'Storm'], default: 'Calm', help: 'which story' }),
  json: boolFlag({ help: 'for machines' }),
  keep: boolFlag({ default: true, help: 'go on afterwards' }),
});

const defaults = {
  configFile: undefined,
  shoots: 5,
  speed: 1.5,
  pauseBetween: 90_000,
  weather: 'Calm',
  json: false,
  keep: true,
};

/** What was given beyond the defaults, or the first line of the refusal. */
function reading(...args: readonly string[]): unknown {
  const parsed = flags.parse(args);
  if (!parsed.ok) return parsed.message.split('\n')[0]?.replace('dependency-watchdog simulate: ', '');
  const changed = Object.entries(parsed.values).filter(([key]) => parsed.given.has(key as keyof typeof defaults));
  return Object.fromEntries(changed);
}

test('1.2 what is not given takes its default', () => {
  const parsed = flags.parse([]);
  expect(parsed).toEqual({ ok: true, values: defaults, given: new Set(), operands: [] });
});

const readable: readonly (readonly [args: readonly string[], given: object])[] = [
  [['--shoots=3'], { shoots: 3 }],
  [['-shoots=3'], { shoots: 3 }],
  [['--shoots', '3'], { shoots: 3 }],
  [['-shoots', '0x10'], { shoots: 16 }],
  [['--shoots=3', '--shoots=4'], { shoots: 4 }],
  [['--speed=-1e3'], { speed: -1_000 }],
  [['--speed', '-2'], { speed: -2 }],
  [['--pause-between=1m30s'], { pauseBetween: 90_000 }],
  [['--weather=STORM'], { weather: 'Storm' }],
  [['--config-file='], { configFile: '' }],
  [['--config-file=a=b'], { configFile: 'a=b' }],
  [['--config-file', '--json'], { configFile: '--json' }],
  [['--json'], { json: true }],
  [['-json=T', '--keep=0'], { json: true, keep: false }],
  [['--json', '--'], { json: true }],
  [['--config-file=a\nb'], { configFile: 'a\nb' }],
];

test.for(readable)('1.2 %j is read as Go reads it', ([args, given]) => {
  expect(reading(...args)).toEqual(given);
});

const wrong: readonly (readonly [args: readonly string[], line: string])[] = [
  [['--shoot=3'], 'unknown flag --shoot; did you mean --shoots?'],
  [['-config_file', 'x'], 'unknown flag --config_file; did you mean --config-file?'],
  [['--Shoots=3'], 'unknown flag --Shoots; did you mean --shoots?'],
  [['--shoots=many'], '--shoots must be a whole number; found "many"'],
  [['--shoots='], '--shoots must be a whole number; found ""'],
  [['--shoots=0'], '--shoots must be at least 1; found "0"'],
  [['--shoots=101'], '--shoots must be at most 100; found "101"'],
  [['--shoots'], '--shoots needs a value, as in --shoots=COUNT'],
  [
    ['--pause-between=90'],
    '--pause-between must be a duration such as 1m30s; found "90": the unit is missing after 90',
  ],
  [['--pause-between=-1s'], '--pause-between must be at least 0s; found "-1s"'],
  [['--weather=rain'], '--weather must be one of Calm, Storm; found "rain"'],
  [['--json=yes'], '--json must be true or false; found "yes"'],
  [['--json='], '--json must be true or false; found ""'],
  [['--json', 'true'], 'unexpected argument "true"; write --json=true'],
  [['--json', 'x.yaml', 'true'], 'unexpected argument "x.yaml"; write --config-file=x.yaml'],
  [['x'], 'unexpected argument "x"'],
  [['help'], 'unexpected argument "help"; write --help'],
  [['shoots=3'], 'unexpected argument "shoots=3"; did you mean --shoots?'],
  [['-'], 'unexpected argument "-"; write --config-file=-'],
  [['--config-file=a', 'b'], 'unexpected argument "b"'],
  [['--flood'], 'unknown flag --flood'],
  [['--config-file=a', ''], 'unexpected argument ""'],
  [['--', '--json'], 'unexpected argument "--json"; did you mean --json?'],
  [['---json'], '"---json" is not a flag'],
  [['--=x'], '"--=x" is not a flag'],
  [['-='], '"-=" is not a flag'],
];

test.for(wrong)('1.2 %j ends with a line that names it', ([args, line]) => {
  expect(reading(...args)).toBe(line);
});

test('1.2 the first thing that is wrong ends the reading', () => {
  expect(reading('--nope', '--shoots=x', 'y')).toMatch(/^unknown flag --nope/);
});

test('1.1 -h and --help show every flag with its default, within the terminal', () => {
  for (const word of ['-h', '--h', '-help', '--help', '--help=x']) {
    const parsed = flags.parse(['--json', word, '--nope']);
    expect(parsed).toMatchObject({ ok: false, help: true });
  }
  const help = flags.parse(['-h']);
  const text = help.ok ? '' : help.message;
  expect(text).toMatch(/^Usage: dependency-watchdog simulate \[flags\]\n/);
  expect(text).toContain('  --shoots=COUNT            how many shoots (default 5)\n');
  expect(text).toContain('  --pause-between=DURATION  how long (default 1m30s)\n');
  expect(text).toContain('  --json                    for machines\n');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('1.2 a required flag and operands must be there, in any order', () => {
  const replay = flagSet(
    'replay',
    { from: requiredFlag({ help: 'x' }), fast: boolFlag({ help: 'x' }) },
    { operands: 'FILE…' },
  );
  const lineOf = (...args: readonly string[]) => {
    const parsed = replay.parse(args);
    return parsed.ok ? parsed.operands : parsed.message.split('\n')[0]?.replace('dependency-watchdog replay: ', '');
  };
  expect(lineOf('--from=1', 'a.jsonl')).toEqual(['a.jsonl']);
  expect(lineOf('--from=1', '--', '-a.jsonl')).toEqual(['-a.jsonl']);
  expect(lineOf('--from=1', '-', 'b.jsonl')).toEqual(['-', 'b.jsonl']);
  expect(lineOf('--from=1')).toBe('FILE… is missing');
  expect(lineOf('a.jsonl')).toBe('--from=TEXT is missing');
  expect(lineOf('--from=', 'a.jsonl')).toBe('--from must not be empty; found ""');
  expect(lineOf('a.jsonl', '--from=1', 'b.jsonl', '--fast')).toEqual(['a.jsonl', 'b.jsonl']);
  expect(lineOf('a.jsonl', '--from=1', '--', '--fast')).toEqual(['a.jsonl', '--fast']);
  expect(lineOf('a.jsonl', '--from=1', '--fsat')).toBe('unknown flag --fsat; did you mean --fast?');
});

describe('1.2 a name of one letter is written as kubectl has it', () => {
  const status = flagSet(
    'status',
    {
      namespace: stringFlag({ placeholder: 'NAMESPACE', help: 'x', also: ['n'] }),
      output: choiceFlag({ choices: ['json', 'wide'], help: 'x', also: ['o'] }),
      only: boolFlag({ help: 'x' }),
      watch: boolFlag({ help: 'go on', also: ['w'] }),
    },
    { operands: '[SHOOT]' },
  );
  const given = (...args: readonly string[]) => {
    const parsed = status.parse(args);
    if (!parsed.ok) return parsed.message.split('\n')[0]?.replace('dependency-watchdog status: ', '');
    const { namespace, output, only, watch } = parsed.values;
    return [namespace, output, only, watch, ...parsed.operands];
  };
  const nothing = [undefined, undefined, false, false];

  test.each<readonly [readonly string[], unknown]>([
    [[], nothing],
    [['a'], [...nothing, 'a']],
    [
      ['-o', 'json', '-w', 'a'],
      [undefined, 'json', false, true, 'a'],
    ],
    [
      ['a', '-ojson', '-nb'],
      ['b', 'json', false, false, 'a'],
    ],
    [
      ['-o=wide', '-n=b', '-w=false'],
      ['b', 'wide', false, false],
    ],
    [
      ['--output', 'JSON', '-namespace=b', '-only'],
      ['b', 'json', true, false],
    ],
    [
      ['-n', '-ojson'],
      ['-ojson', undefined, false, false],
    ],
    [['a', 'b'], 'unexpected argument "b": one SHOOT at most'],
    [['-oyaml'], '-o must be one of json, wide; found "yaml"'],
    [['-o'], '-o needs a value, as in -o=json|wide'],
    [['-wide'], 'unknown flag --wide'],
    [['-x'], 'unknown flag -x'],
    [['-A'], 'unknown flag -A; without a name all shoots are looked at'],
  ])('%j', (args, expected) => {
    expect(given(...args)).toEqual(expected);
  });

  test('and the help shows all names of a flag together', () => {
    const help = status.parse(['-h']);
    expect(help.ok ? '' : help.message).toContain('\n  -w, --watch                go on');
    expect(help.ok ? '' : help.message).toMatch(/^Usage: dependency-watchdog status \[flags\] \[SHOOT\]\n/);
  });
});

test('1.2 no command line makes it throw', () => {
  const piece = fc.oneof(
    fc.constantFrom('--shoots', '-json', '--', '--json=1', '3', '-', '--=', '--keep', '--__proto__=1', '--constructor'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (args) => {
      const parsed = flags.parse(args);
      expect(parsed.ok || parsed.message.startsWith(parsed.help ? 'Usage' : 'dependency-watchdog simulate: ')).toBe(
        true,
      );
    }),
  );
});

test.for([80, 50])('1.1 in a terminal of %d columns no line of any help is wider', (columns) => {
  const { stdout } = process;
  const before = stdout.columns;
  stdout.columns = columns;
  onTestFinished(() => void (stdout.columns = before));
  const helps = Object.keys(commandWords)
    .filter(isCommand)
    .map((command) => flagSetOf(command).parse(['--help']));
  const texts = [programUsage(), ...helps.map((help) => (help.ok ? '' : help.message))];
  const lines = texts.join('\n').split('\n');
  expect(lines.length).toBeGreaterThan(200);
  // A signature of a flag that lists its words is not broken.
  expect(lines.filter((line) => line.length > columns && !/^ {2}-/.test(line))).toEqual([]);
});
