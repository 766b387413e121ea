import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEVER, Subject } from 'rxjs';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runSimulate } from '../../commands/simulate.ts';
import { runStatus } from 'dependency-watchdog/commands/status.ts';
import { readKubeconfig } from 'dependency-watchdog/domain/prober/kubeconfig.ts';
import { replay } from '@dwd/testing/journal-driver.ts';
import { playedStory } from '@dwd/testing/heard-io.ts';
import { interruptedTerminal } from '../support/interrupted-terminal.ts';

const configuration = `
kubeConfigSecretName: access
probeInterval: 10s
initialDelay: 10s
kcmNodeMonitorGraceDuration: 2m
dependentResourceInfos:
- {ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}, scaleUp: {level: 0}, scaleDown: {level: 1}}
- {ref: {apiVersion: apps/v1, kind: Deployment, name: machine-controller-manager}, scaleUp: {level: 1}, scaleDown: {level: 0}}
`;

const folder = mkdtempSync(join(tmpdir(), 'dwd-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Line = Readonly<Record<string, unknown> & { kind: string }>;

function simulate(config: string, args: readonly string[], scene: Parameters<typeof playedStory>[1] = {}) {
  const file = join(folder, `config-${Math.abs(config.length)}.yaml`);
  writeFileSync(file, config);
  return playedStory(({ io, ...rest }) => runSimulate([`--config-file=${file}`, ...args], io, rest), scene);
}

/** What answers in the places that a run names, as a kubectl and a curl see it. */
async function lookAround(places: Line) {
  const path = String(places['kubeconfig']);
  const reading = readKubeconfig(parse(readFileSync(path, 'utf8')));
  if (!reading.usable) throw new Error(reading.problem);
  const { server, ca, token } = reading.credentials;
  const dispatcher = new Agent({ connect: { ca }, allowH2: false });
  const url = `https://${server.host}:${server.port}/apis/apps/v1/deployments`;
  const { statusCode, body } = await request(url, { dispatcher, headers: { authorization: `Bearer ${token}` } });
  const { items } = (await body.json()) as { items: readonly unknown[] };
  await dispatcher.close();
  const served = async (place: string) => {
    const answer = await request(String(places[place]));
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    path,
    mode: statSync(path).mode % 0o1000,
    deployments: items.length,
    status: statusCode,
    metrics: await served('metrics'),
    healthz: await served('healthz'),
    readyz: await served('readyz'),
    journal: await served('journal'),
    told: await toldByStatus(path, new URL(String(places['inspector'])).host),
  };
}

/** What an operator's `status` says of the seed, and its code. */
async function toldByStatus(kubeconfig: string, prober: string): Promise<string> {
  const out: string[] = [];
  const io = { out: (line: string) => void out.push(line), err: () => undefined, env: {} };
  const code = await runStatus([`--kubeconfig=${kubeconfig}`, `--prober=${prober}`], io, {
    terminal: undefined,
    colours: false,
    interrupted$: NEVER,
  });
  return [...out, `code ${code}`].join('\n');
}

type Around = Awaited<ReturnType<typeof lookAround>>;

const journal = join(folder, 'journal');
let story: Awaited<ReturnType<typeof simulate>>;
let lines: readonly Line[];
let [first, kept]: Around[] = [];

beforeAll(async () => {
  const interrupted$ = new Subject<void>();
  let places: Line | undefined;
  const another$ = new Subject<void>();
  const args = ['--shoots=2', '--nodes=3', '--speed=30', '--seed=7', '--json', '--keep', `--journal-dir=${journal}`];
  story = await simulate(configuration, args, {
    interrupted$,
    another$,
    heard: (line) => {
      const told = JSON.parse(line) as Line;
      // Where outages begin within each other the story must have an end, too: a third one is not followed by a fourth, and leaves a shoot cut off.
      if (told.kind === 'phase' && told['phase'] === 'outage' && Number(told['outage']) < 3) another$.next();
      const isStuck = String(told['text']).endsWith('is not back to normal.');
      if ((told.kind === 'kept' && kept !== undefined) || isStuck) interrupted$.next();
      if (told.kind !== 'places' && (told.kind !== 'kept' || kept !== undefined)) return;
      places ??= told;
      lookAround(places).then(
        (seen) => {
          if (told.kind === 'places') return void (first = seen);
          kept = seen;
          another$.next();
        },
        (error: unknown) => interrupted$.error(error),
      );
    },
  });
  lines = story.out.map((line) => JSON.parse(line) as Line);
});

test('9.8 status works on the simulated seed: who leads, and at the end what happened', () => {
  expect(first?.told).toMatch(
    /^The prober simulated-prober_1 leads: it renewed its Lease garden\/dwd-prober-leader-election (just now|\S+ s ago)\.\n/,
  );
  expect(first?.told).toMatch(/In the last 24 hours: Nothing happened\. Nothing to do\.\ncode 0$/);
  expect(kept?.told).toMatch(
    /In the last 24 hours: 1 outage, 1 shoot brought back, in time\. .* Nothing to do\.\ncode 0$/,
  );
});

const ofKind = (kind: string) => lines.filter((line) => line.kind === kind);

test('1.1 5.3 6.1 L1 L2 the real prober protects the shoot that is cut off, leaves the other alone, and brings all back', () => {
  const [summary] = ofKind('summary');
  expect({ code: story.code, err: story.err, missed: summary!['missed'] }).toEqual({ code: 0, err: '', missed: [] });
  expect(summary).toMatchObject({ ok: true, nodesMarked: 0, speed: 30, seed: 7 });
  expect(summary!['shoots']).toMatchObject([
    { shoot: 'shoot--demo--01', cutOff: true, isProtected: true, hasReturned: true, bugs: 0 },
    { shoot: 'shoot--demo--02', cutOff: false, isProtected: true, hasReturned: true, bugs: 0 },
  ]);
  const [one, two] = summary!['shoots'] as readonly {
    replicas: Record<string, { before: number; least: number; after: number }>;
  }[];
  for (const { before, least, after } of Object.values(one!.replicas)) expect([least, after]).toEqual([0, before]);
  for (const { before, least, after } of Object.values(two!.replicas)) expect([least, after]).toEqual([before, before]);
});

test('1.1 4.6 6.1 its figures are of the order that the rules promise, in simulated seconds', () => {
  const [summary] = ofKind('summary') as [Line & Record<string, { median: number; worst: number }>];
  const { decisionDelaySeconds, downDelaySeconds, controllerManagerDelaySeconds, marginSeconds } = summary;
  // It decides after the threshold, and long before the next probe would have come by the clock.
  expect(decisionDelaySeconds!.median).toBeGreaterThanOrEqual(0);
  expect(decisionDelaySeconds!.worst).toBeLessThan(9);
  expect(downDelaySeconds!.worst).toBeGreaterThan(decisionDelaySeconds!.worst + 0.6);
  expect(controllerManagerDelaySeconds).toEqual(downDelaySeconds);
  // A quarter of the grace, less what the leases are apart and what it took.
  expect(marginSeconds!.worst).toBeLessThan(30);
  expect(marginSeconds!.worst).toBeGreaterThan(0);
});

test('1.1 4.3 6.2 a healthy probe costs the shoot one connection and two requests, and the seed nothing', () => {
  const [summary] = ofKind('summary');
  // On a busy machine a shoot may be probed before the watches on its dependants are there: that one costs GETs.
  expect(summary).toHaveProperty('healthyProbes.spread', {
    connections: { median: 1, worst: 1 },
    shootRequests: { median: 2, worst: 2 },
    seedRequests: { median: 0, worst: expect.any(Number) },
  });
  expect(summary).toHaveProperty('quiet.seedRequests', 0);
});

test('9.19 its headline is made of the turns that were played', () => {
  const [summary] = ofKind('summary');
  expect(summary).toHaveProperty('headline', expect.stringMatching(/^[12] outages?, [12] shoots? brought back\b/));
});

test('1.1 it tells what it was begun with, the phases, and each change', () => {
  expect(lines[1]).toMatchObject({ kind: 'begin', seed: 7, speed: 30, shoots: 2, nodes: 3 });
  expect(lines[1]).toHaveProperty('config.kcmNodeMonitorGraceDuration', 120_000);
  const overAt = Number(ofKind('phase')[3]!['at']);
  expect(ofKind('phase').map(({ outage, phase, shoots }) => [outage, phase, shoots])).toEqual([
    [1, 'calm', undefined],
    [1, 'outage', ['shoot--demo--01']],
    [1, 'healing', undefined],
    [1, 'over', undefined],
    [2, 'outage', ['shoot--demo--02']],
    [2, 'healing', undefined],
    [2, 'over', undefined],
  ]);
  const states = ofKind('state').filter(({ shoot, at }) => shoot === 'shoot--demo--01' && Number(at) < overAt);
  expect(states.map(({ to }) => to)).toEqual(['idle', 'probing', 'scalingDown', 'scaledDown', 'scalingUp', 'probing']);
  expect(ofKind('dependant').some(({ replicas, marked }) => replicas === 0 && marked === true)).toBe(true);
});

test('9.6 L3 replaying its journal yields the same states, turn by turn', async () => {
  const { code, lines: replayedLines } = await replay(['--json', journal]);
  const replayed = replayedLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const turns = replayed.filter(({ seq }) => seq !== undefined);
  expect(replayed.at(-1)).toMatchObject({ summary: { turns: turns.length, checked: turns.length, differences: [] } });
  expect(code).toBe(0);
  const changes = turns.filter(({ from, to }) => from !== to);
  expect(changes.map(({ seq, shoot, from, to }) => ({ seq, shoot, from, to }))).toEqual(
    ofKind('state').map(({ seq, shoot, from, to }) => ({ seq, shoot, from, to })),
  );
});

test('1.1 9.2 9.3 9.6 its first line names what can be looked into, and all of it answers from then on', () => {
  expect(lines[0]).toMatchObject({ kind: 'places', processId: process.pid });
  expect(first).toMatchObject({ mode: 0o600, status: 200, deployments: 4, healthz: { status: 200 } });
  expect(first!.metrics.text).toContain('\ndwd_leader 1\n');
  expect(first!.journal.text).toContain('"program":');
});

test('1.1 9.3 9.6 with --keep all of it goes on, and only its owner can read the way to the seed; after the end it is gone', () => {
  expect(kept).toMatchObject({ mode: 0o600, status: 200, deployments: 4, readyz: { status: 200, text: 'ok' } });
  expect(kept!.metrics.text).toMatch(/^dwd_scale_\w+_total\{.*\} [1-9]/m);
  expect(kept!.journal.text.split('\n').length).toBeGreaterThan(50);
  expect(() => statSync(kept!.path)).toThrow('ENOENT');
});

test('1.1 beside them a twin that nobody watches loses its healthy machines, in each outage', () => {
  for (const { machinesReplaced, twin } of ofKind('summary'))
    expect({ machinesReplaced, twin }).toEqual({ machinesReplaced: 0, twin: { nodesMarked: 3, machinesReplaced: 3 } });
  expect(ofKind('replaced').every(({ shoot }) => shoot === 'unwatched twin')).toBe(true);
});

test('1.1 with --keep another outage begins when it is asked for, hits others, and is summed up like the first', () => {
  const [first, second, ...more] = ofKind('summary');
  expect(more).toEqual([]);
  expect([first!['outage'], second!['outage']]).toEqual([1, 2]);
  expect(second).toMatchObject({ ok: true, nodesMarked: 0, missed: [] });
  expect(second!['shoots']).toMatchObject([
    { shoot: 'shoot--demo--01', cutOff: false, isProtected: true, hasReturned: true },
    { shoot: 'shoot--demo--02', cutOff: true, isProtected: true, hasReturned: true },
  ]);
  // It tells its own length, and not that of all that went before.
  expect(second!['seconds']).toBeLessThan(Number(first!['seconds']));
});

test('1.1 another outage that is asked for too early is put off with a sentence', () => {
  const remarks = ofKind('remark').filter(({ text }) => String(text).startsWith('No other'));
  expect(remarks.map(({ text }) => text)).toEqual([
    'No other outage begins yet: this one is not over.',
    'No other outage begins yet: this one is not over.',
  ]);
});

test('1.1 a configuration that comes too late costs nodes, and ends with code 1', async () => {
  const late = configuration.replace('2m', '22s').replace('10s', '40s') + 'failureThreshold: 2\n';
  const { code, out } = await simulate(late, ['--shoots=1', '--nodes=2', '--speed=60', '--seed=3']);
  expect(code).toBe(1);
  const text = out.join('\n');
  expect(text).toContain('kube-controller-manager marks node-001 as unreachable');
  expect(text).toContain('FAILED: 1 shoot not protected.');
  expect(text).toMatch(/marked by kube-controller-manager +2 of 2 +2 of 2/);
  expect(out.at(-2)).toBe(
    `The same draw again: --seed=3 --config-file=${folder}/config-${late.length}.yaml --shoots=1 --nodes=2 --speed=60`,
  );
  expect(out.at(-1)).toBe('Why was it so? --inspect keeps the page, --journal-dir=DIR the journal.');
});

test('1.1 in a terminal it paints; interrupted, it gives the cursor back and ends with code 1', async () => {
  const { surroundings, written } = interruptedTerminal();
  const { code, out, err } = await simulate(configuration, ['--shoots=1'], surroundings);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: [],
    err: 'dependency-watchdog simulate: interrupted before the outage was over',
  });
  expect(written().startsWith('\u001b[?25l')).toBe(true);
  expect(written().endsWith('\u001b[?25h')).toBe(true);
});

test('1.3 a configuration that is wrong is refused before anything starts, with every problem', async () => {
  const wrong = configuration.replace('10s', '10').replace('2m', '0s');
  const { code, out, err } = await simulate(wrong, []);
  expect([code, out]).toEqual([1, []]);
  expect(err).toContain('2 problems');
});

test('1.1 two dependants of one name cannot be played', async () => {
  const twice = configuration.replace('Deployment, name: machine', 'StatefulSet, name: kube');
  const { code, err } = await simulate(twice, []);
  expect([code, err]).toEqual([1, expect.stringContaining('two dependants have the name kube-controller-manager')]);
});
