/**
 * Every bench, one after the other. `npm run bench` measures, in about an hour; `npm run bench -- --short` runs each with
 * tiny numbers, three at a time, in four minutes, and fails where one breaks or does not print its figures. What those figures are says nothing then.
 * `npm run bench -- --peer='COMMAND'` plays our program and another watchdog in turns instead (packages/lab/bench/peer.ts); `--peer-go` builds the Go watchdog for
 * that, once. `--only` picks a bench by its file, or a part of the comparison by its words.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import * as z from 'zod';
import { findProgram, ProgramMissing } from '../programs/find-program.ts';
import { endsWithUs } from '../real/clearing-up.ts';
import { isProgramName, type ProgramName } from '../programs/wanted-programs.ts';
import { flags } from './support/flags.ts';
import { helpOfHeader } from '../options/help-of-header.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** `benches.yaml` says what each of these is. */
const benchSchema = z.strictObject({
  file: z.string(),
  runs: z.array(z.string()).default(['']),
  short: z.string(),
  needs: z.custom<ProgramName>((name) => typeof name === 'string' && isProgramName(name)).optional(),
  figures: z.array(z.string()),
});
type Bench = z.infer<typeof benchSchema>;

const list = readFileSync(join(import.meta.dirname, 'benches.yaml'), 'utf8');
const benches = z.array(benchSchema).parse(parse(list));

helpOfHeader('bench -- [--short] [--only FILE] [--peer=COMMAND | --peer-go] [--rounds N]', import.meta.filename);
const { short, rounds, only, ...asked } = flags({ short: false, peer: '', 'peer-go': false, rounds: 2, only: '' });
const peer = asked['peer-go'] ? await builtPeer() : asked.peer;
const words = ['--peer', peer, '--rounds', String(rounds), '--only', only, ...(short ? ['--short'] : [])];
if (peer !== '') process.exitCode = run('peer.ts', words).status ?? 1;
const left = peer === '' ? benches.filter(({ file }) => file.startsWith(only)) : [];
// What is only tried may be tried side by side: most of its time it waits. What is measured has the machine to itself.
await Promise.all(Array.from({ length: short ? 3 : 1 }, () => playThem()));

/** The Go watchdog. The peer's command is a shell's. */
async function builtPeer(): Promise<string> {
  return `'${await findProgram('dependency-watchdog', { say })}'`;
}

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
  const endings = runs.map((line) => {
    const words = wordsOf(line);
    process.stdout.write(`\n${commandLine(file, words)}\n`);
    return run(file, words).status;
  });
  return endings.every((status) => status === 0) ? undefined : `ended with ${endings.join(', ')}`;
}

async function tried({ file, short: line, figures }: Bench): Promise<string | undefined> {
  const words = wordsOf(line);
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

function wordsOf(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

function commandLine(file: string, words: readonly string[]): string {
  return ['node', `bench/${file}`, ...words].join(' ');
}

function hasNumber(text: string, figure: string): boolean {
  return text.split('\n').some((line) => line.includes(figure) && /^[^\d\n]*\d/.test(line.split(figure)[1] ?? ''));
}
