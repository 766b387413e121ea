import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { flagSetOf } from '../../src/commands/completion/completed-commands.ts';
import { leaseNameOf } from '../../src/adapters/election/lease-record.ts';
import { isCommand } from '../../src/commands/usage.ts';
import { textAt, valueAt } from '../../src/domain/value-at.ts';
import { readToolWords, type tools } from './known-flags.ts';
import { shellWords } from './shell-words.ts';

const root = join(import.meta.dirname, '../..');

/** The tests that try a command: each is of one of these kinds. */
export const players = {
  ours: 'test/process/documented/documented-commands.test.ts',
  script: 'test/process/documented/scripts.test.ts',
  words: 'test/documented-commands.test.ts',
} as const;

/** What is looked at, and no more: it needs an account, a registry or a release. */
const others = ['git', 'docker', 'cosign', 'mkdir', 'cd', 'jq', 'sed', 'grep', 'head', 'wc', 'source'];

type Checked = Readonly<{ player: (typeof players)[keyof typeof players]; problems: readonly string[] }>;

/** How a documented command is tried, and what its words alone show to be wrong. */
export function checkCommand(text: string): Checked {
  const checks = shellWords(text).programs.map(checkProgram);
  const player = [players.ours, players.script].find((one) => checks.some((check) => check.player === one));
  return { player: player ?? players.words, problems: checks.flatMap(({ problems }) => problems) };
}

/** The words of our program in a command, `undefined` where it is another program. */
export function ourWords(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === 'dependency-watchdog' || word === 'src/main.ts');
  const isStarted = at === 0 || words[0] === 'npx' || (words[0] === 'kubectl' && words[at - 1] === '--');
  return at >= 0 && isStarted ? words.slice(at + 1) : undefined;
}

function checkProgram(words: readonly string[]): Checked {
  const [name = '', ...rest] = words;
  const ours = ourWords(words);
  if (ours !== undefined) {
    const around = name === 'kubectl' ? toolProblems('kubectl', rest) : [];
    return { player: players.ours, problems: [...around, ...ourProblems(ours)] };
  }
  switch (name) {
    case 'kubectl':
    case 'helm':
    case 'kustomize':
      return { player: players.words, problems: toolProblems(name, rest) };
    case 'npm':
      return npmCheck(rest);
    case 'npx':
    case 'node':
      return { player: players.words, problems: nodeProblems(rest) };
    case 'curl':
      return {
        player: rest.some((word) => /localhost:9645|\$L\//.test(word)) ? players.ours : players.words,
        problems: [],
      };
    default:
      return { player: players.words, problems: others.includes(name) ? [] : [`nothing tries ${name}`] };
  }
}

/** Placeholders are filled in where the command is played; here they only have to be read. */
function ourProblems([command = '', ...args]: readonly string[]): readonly string[] {
  if (['help', 'version', '--version', 'COMMAND'].includes(command)) return [];
  if (!isCommand(command)) return [`there is no command ${command}`];
  const readable = args.map((word) => word.replace('SHOOT@TIME', 'shoot@1m').replace('TIME', '1m'));
  const parsed = flagSetOf(command).parse(readable);
  return parsed.ok ? [] : [parsed.message.split('\n')[0] ?? ''];
}

function toolProblems(name: keyof typeof tools, words: readonly string[]): readonly string[] {
  const read = readToolWords(name, words);
  if ('problem' in read) return [read.problem];
  const values = read.given.flatMap(([flag, value]) => (flag === '--set' ? [value] : []));
  const files = [
    ...read.args,
    ...read.given.flatMap(([flag, value]) => (flag === '-k' || flag === '-f' ? [value] : [])),
  ];
  return [
    ...values.flatMap((value) => chartProblems(value.split('=')[0] ?? '')),
    ...files.flatMap((path) =>
      path.startsWith('deploy/') && !existsSync(join(root, path)) ? [`there is no ${path}`] : [],
    ),
    ...(name === 'kubectl' ? [...read.args].flatMap(nameProblems) : []),
  ];
}

function chartProblems(path: string): readonly string[] {
  const values: unknown = parse(readFileSync(join(root, 'deploy/chart/dependency-watchdog/values.yaml'), 'utf8'));
  return valueAt(values, ...path.split('.')) === undefined ? [`the chart has no value ${path}`] : [];
}

const objectNames = namesDeployed();

/** Objects of ours, as `deploy/` and the program name them. */
function nameProblems(word: string): readonly string[] {
  const name = word.split('/').at(-1) ?? '';
  return !/^(?:dwd|dependency-watchdog)-/.test(name) || objectNames.has(name)
    ? []
    : [`nothing of ours is called ${name}`];
}

function namesDeployed(): ReadonlySet<string> {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:base|shoot).*\.yaml$/.test(file),
  );
  const names = files.flatMap((file) =>
    readFileSync(join(root, 'deploy', file), 'utf8')
      .split(/^---$/m)
      .map((document) => textAt(parse(document, { logLevel: 'silent' }), 'metadata', 'name')),
  );
  return new Set([...names, leaseNameOf('prober'), leaseNameOf('weeder')]);
}

function npmCheck([verb = '', ...rest]: readonly string[]): Checked {
  const scripts = valueAt(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), 'scripts') as object;
  const args = rest.filter((word, at) => word !== '-s' && word !== '-w' && rest[at - 1] !== '-w');
  const script = verb === 'test' ? 'test' : verb === 'run' ? (args[0] ?? '') : '';
  if (script === '') {
    const isUsual = ['ci', 'install', 'audit', 'run'].includes(verb);
    return { player: players.words, problems: isUsual ? [] : [`nothing tries npm ${verb}`] };
  }
  if (!Object.hasOwn(scripts, script)) return { player: players.words, problems: [`there is no script ${script}`] };
  const flags = args.slice(args.indexOf('--') + 1).filter((word) => word.startsWith('-'));
  return { player: flags.length > 0 || args.includes('--') ? players.script : players.words, problems: [] };
}

/** A bench by its file, whose source has its flags; or a runner of tests by a place. */
function nodeProblems(words: readonly string[]): readonly string[] {
  const file = words.find((word) => /\.(?:ts|mjs)$/.test(word));
  if (file === 'attach.mjs' || words.length === 0) return [];
  const place = file ?? words.find((word) => /^(?:packages|test)\//.test(word));
  if (place === undefined) return words.length > 1 ? [`nothing tries ${words.join(' ')}`] : [];
  if (!existsSync(join(root, place))) return [`there is no ${place}`];
  if (!place.startsWith('packages/lab/bench/')) return [];
  const source = readFileSync(join(root, place), 'utf8');
  const flags = words.flatMap((word) => /^--(?:no-)?([\w-]+)/.exec(word)?.[1] ?? []);
  return flags
    .filter((flag) => !new RegExp(`\\b${flag}\\b`).test(source))
    .map((flag) => `${place} has no flag --${flag}`);
}
