import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Blow } from '../observation.ts';
import { laws } from '../laws.ts';
import { flows } from './flows.ts';
import { judge, tryFlow, type AimedBlow, type Judgement, type Point, type Quiet } from './trial.ts';

/** A crash at each point; a pause of a minute at each; or a crash, and one more at each point of the recovery from it. */
export const modes = ['crash', 'pause', 'pair'] as const;
export type Mode = (typeof modes)[number];

/** Lives of one flow, at these of its points. For pairs they are the first of the two. */
export type Job = Readonly<{ flow: string; mode: Mode; points: readonly number[] }>;

export type Played = Readonly<{ blows: readonly AimedBlow[] }> & Judgement;

const aMinute: Millis = 60_000;
const crash: Blow = { kind: 'crash' };

const quiets = new Map<string, Promise<Quiet>>();

/** The life of a flow that nothing strikes; it is lived once. */
export function quietOf(name: string): Promise<Quiet> {
  const known = quiets.get(name) ?? liveQuietly(name);
  quiets.set(name, known);
  return known;
}

/** Plays a job, life after life. */
export async function* play({ flow: name, mode, points: places }: Job): AsyncGenerator<Played, void, undefined> {
  const quiet = await quietOf(name);
  const { points } = quiet.trial;
  for (const place of places) {
    const point = points[place];
    if (point === undefined) throw new Error(`${name} has no point ${place}`);
    const first: AimedBlow = { point, blow: mode === 'pause' ? { kind: 'pause', length: aMinute } : crash };
    const once = await strike(name, quiet, [first]);
    if (mode !== 'pair') yield once.played;
    else
      for (const next of once.points) yield (await strike(name, quiet, [first, { point: next, blow: crash }])).played;
  }
}

async function strike(
  name: string,
  quiet: Quiet,
  blows: readonly AimedBlow[],
): Promise<Readonly<{ played: Played; points: readonly Point[] }>> {
  const flow = flowOf(name);
  const trial = await tryFlow(flow, laws, blows);
  const elects = flow.plan.replicas.prober + flow.plan.replicas.weeder > 1;
  const judged = judge(quiet, blows, trial, { elects, opens: flow.opening !== undefined });
  const last = blows.at(-1)?.point.index ?? 0;
  return { played: { blows, ...judged }, points: trial.points.filter(({ index }) => index > last) };
}

async function liveQuietly(name: string): Promise<Quiet> {
  const flow = flowOf(name);
  const trial = await tryFlow(flow, laws, []);
  const nobody = { ...flow, plan: { ...flow.plan, replicas: { prober: 0, weeder: 0 } }, legs: flow.legs.slice(0, 1) };
  const { marks } = await tryFlow(nobody, [], []);
  return { trial, deadline: marks[0] };
}

function flowOf(name: string) {
  const flow = flows.find((one) => one.name === name);
  if (flow === undefined) throw new Error(`there is no flow '${name}'`);
  return flow;
}
