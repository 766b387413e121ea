/**
 * Every bench, one after the other. `npm run bench` measures, in some twenty minutes; `npm run bench -- --short` runs each with
 * tiny numbers, two at a time, in four, and fails where one breaks or does not print its figures. What those figures are says nothing then.
 * `npm run bench -- --peer='COMMAND'` plays our program and another watchdog in turns instead (bench/peer.ts).
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { findProgram, ProgramMissing } from '../hack/programs/find-program.ts';
import { endsWithUs } from '../hack/real/clearing-up.ts';
import type { ProgramName } from '../hack/programs/wanted-programs.ts';
import { flags } from './support/flags.ts';

type Bench = Readonly<{
  file: string;
  /** As it is measured, each in a run of its own, and how it is tried. */
  runs: readonly (readonly string[])[];
  short: readonly string[];
  /** A program that it needs: where it is not to be had, the bench is left out, which is said. */
  needs?: ProgramName;
  /** Each of them has to be printed, and a number behind it. */
  figures: readonly string[];
}>;

const benches: readonly Bench[] = [
  {
    file: 'probe-cost.ts',
    runs: [[]],
    short: ['10'],
    figures: ['a probe of 10 nodes:', 'ratio', 'a probe of two paths:'],
  },
  { file: 'scrape.ts', runs: [[]], short: ['20'], figures: ['median', 'p95'] },
  {
    file: 'turn-cost.ts',
    runs: [[]],
    short: ['--shoots', '5', '--rounds', '1'],
    figures: ['the machine:', 'the journal:', 'all together:'],
  },
  {
    file: 'simulated-time.ts',
    runs: [[]],
    short: ['--seconds', '0.2'],
    figures: ['calm:', 'an outage every 5 minutes:'],
  },
  {
    file: 'soak.ts',
    runs: [[]],
    short: ['--lives', '1', '--shoots', '1,2'],
    figures: ['1 shoots, calm:', 'shoots, every fault:'],
  },
  {
    file: 'start.ts',
    runs: [[]],
    short: ['--shoots', '2', '--starts', '1'],
    figures: [
      'sources, prober --help: median',
      'sources, from start to ready, 2 shoots: median',
      'built, prober --help: median',
      'built, from start to ready, 2 shoots: median',
      'from SIGTERM to the end',
      'after a crash: the next one leads after',
    ],
  },
  {
    file: 'outage.ts',
    runs: [
      ['--shoots', '100'],
      ['--shoots', '100', '--interval', '10s', '--delay', '0s', '--pod-start', '0s'],
      ['--shoots', '500', '--interval', '10s', '--delay', '0s', '--pod-start', '0s'],
      ['--shoots', '1000', '--no-healing'],
      ['--path', 'hang', '--shoots', '100'],
    ],
    short: ['--shoots', '4', '--nodes', '3', '--interval', '1s', '--delay', '0s', '--pod-start', '0s', '--stay', '0s'],
    figures: [
      'the first write',
      'the kube-controller-manager is gone',
      'in time:',
      'CPU for each shoot: the prober',
      'the kube-controller-manager is scaled up',
      'everything is back, with ready pods',
      'requests for each shoot:',
    ],
  },
  {
    file: 'steady.ts',
    runs: [[]],
    short: ['--shoots', '4', '--nodes', '5', '--interval', '1', '--seconds', '3'],
    figures: ['CPU a probe:', 'event loop late by:', 'requests to the seed, its Lease aside:'],
  },
  {
    file: 'growth.ts',
    runs: [[]],
    short: ['--shoots', '2', '--nodes', '3', '--interval', '1', '--seconds', '3'],
    figures: ['2 shoots of 5 nodes:', '20 shoots of 3 nodes:'],
  },
  {
    file: 'memory.ts',
    // As the image starts it.
    runs: [[]],
    short: ['--shoots', '4', '--interval', '1', '--seconds', '2'],
    figures: ['sources, 4 shoots:', 'built, 4 shoots:'],
  },
  {
    file: 'weeding.ts',
    runs: [[]],
    short: ['--recoveries', '2', '--namespaces', '2'],
    figures: ['a new window: dependants are listed, then watched', 'within an open window: they are watched already'],
  },
  {
    file: 'weeding-all.ts',
    runs: [[]],
    short: ['--services', '3'],
    figures: ['to the last deletion:', 'to its first deletion', 'CPU: the weeder', 'list, DELETE):'],
  },
  {
    file: 'weeding-rest.ts',
    runs: [[]],
    short: ['--services', '4', '--seconds', '2'],
    figures: ['at rest:', 'requests in 2 s:'],
  },
  { file: 'broken-pods.ts', runs: [[]], short: ['--pods', '100'], figures: ['100 broken pods of one namespace:'] },
  {
    file: 'page.ts',
    runs: [[]],
    short: ['--shoots', '20', '--turns', '1000', '--long', '300'],
    needs: 'chromium-headless-shell',
    figures: [
      'last night, from its address:',
      'the seed, from its address:',
      'the seed, filtered by text:',
      'from turn to turn by key: median',
    ],
  },
  {
    file: 'inspector.ts',
    runs: [[]],
    short: ['--shoots', '20', '--turns', '500', '--readers', '3', '--seconds', '1'],
    figures: ['the observer of the inspector:', 'ratio', '3 readers of 20 shoots:', 'turns of 20 shoots from files:'],
  },
  {
    // It measures only beside another watchdog; here it tries itself, with ours as the other one.
    file: 'peer.ts',
    runs: [],
    short: ['--short'],
    figures: [
      'CPU, ms a shoot and interval',
      'until all is back with ready pods, worst',
      'until the Lease has another holder',
    ],
  },
  {
    file: 'unread.ts',
    runs: [[], ['--replicas', '2'], ['--read']],
    short: ['--shoots', '2', '--nodes', '3'],
    figures: ['the first write', 'in time:', 'from SIGTERM to the end:'],
  },
  {
    file: 'hostile.ts',
    runs: [[], ['--generation', 'two-paths']],
    short: ['--only', 'redirects', '--honest', '2', '--seconds', '4'],
    figures: ['nothing', 'redirects'],
  },
];

const { short, peer, rounds, only } = flags({ short: false, peer: '', rounds: 2, only: '' });
const words = ['--peer', peer, '--rounds', String(rounds), '--only', only, ...(short ? ['--short'] : [])];
if (peer !== '') process.exitCode = run('peer.ts', words).status ?? 1;
const left = peer === '' ? [...benches] : [];
// What is only tried may be tried side by side: most of its time it waits. What is measured has the machine to itself.
await Promise.all(Array.from({ length: short ? 2 : 1 }, () => playThem()));

async function playThem(): Promise<void> {
  for (let bench = left.shift(); bench !== undefined; bench = left.shift()) {
    if (!(await canRun(bench))) continue;
    const problem = short ? await tried(bench) : measured(bench);
    if (problem === undefined) continue;
    process.stdout.write(`bench/${bench.file} ${problem}\n`);
    process.exitCode = 1;
  }
}

async function canRun({ file, needs }: Bench): Promise<boolean> {
  try {
    if (needs !== undefined) await findProgram(needs);
    return true;
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    process.stdout.write(`LEFT OUT: bench/${file}, since ${error.message}\n`);
    return false;
  }
}

function measured({ file, runs }: Bench): string | undefined {
  const endings = runs.map((words) => {
    process.stdout.write(`\n${commandLine(file, words)}\n`);
    return run(file, words).status;
  });
  return endings.every((status) => status === 0) ? undefined : `ended with ${endings.join(', ')}`;
}

async function tried({ file, short: words, figures }: Bench): Promise<string | undefined> {
  const { code, said } = await ended(file, words);
  process.stdout.write(`\n${commandLine(file, words)}\n${said}`);
  if (code !== 0) return `ended with ${code}`;
  const missing = figures.filter((figure) => !hasNumber(said, figure));
  return missing.length === 0 ? undefined : `printed no number behind: ${missing.join('; ')}`;
}

function run(file: string, words: readonly string[]) {
  return spawnSync(process.execPath, [join(import.meta.dirname, file), ...words], { stdio: 'inherit' });
}

/** What it printed is kept, so that two that run side by side do not mix. */
function ended(file: string, words: readonly string[]): Promise<Readonly<{ code: number; said: string }>> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, file), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endsWithUs(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, said }));
  });
}

function commandLine(file: string, words: readonly string[]): string {
  return ['node', `bench/${file}`, ...words].join(' ');
}

function hasNumber(text: string, figure: string): boolean {
  return text.split('\n').some((line) => line.includes(figure) && /^[^\d\n]*\d/.test(line.split(figure)[1] ?? ''));
}
