/**
 * `npm run meltdown`: what the watchdog is for, with nothing simulated that decides. Real API servers under RBAC with
 * Gardener's grants, a real kube-controller-manager for each shoot, Gardener's configuration and flags, real timings; only
 * kubelets and the Deployments' pods are played. The kubelets come through a TCP load balancer, which is what breaks. Each watched shoot has a twin in another seed, cut off at the same instant,
 * that nobody watches. Ends with 0 if no watched node was marked and everything came back as it was, with 1 if not (or
 * where the twins came to no harm either), and with 2 where it cannot be tried.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import {
  findHollowKubelet,
  findMachinePrograms,
  keptDirectory,
  KeptDirectoryUnusable,
  generationOf,
  preparePlace,
  type MeltdownGround,
} from './meltdown/place.ts';
import { endTheLiving } from './real/clearing-up.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';
import { readMeltdownOptions, usage, type MeltdownOptions } from './meltdown/meltdown-options.ts';
import { headLines, outageLine, sumLines, troubleLines } from './meltdown/outage-lines.ts';
import { runSilences, silenceHead, silenceLine, wrongWithSilences, type Silence } from './meltdown/silence.ts';
import { playAsked } from './options/read-options.ts';
import { ProgramMissing } from './programs/find-program.ts';
import { progress, type Progress } from './options/progress.ts';
import { runMeltdown, type TwinOutages } from './meltdown/run-meltdown.ts';
import { sumUp, whyLater } from './meltdown/sum.ts';

await playAsked(readMeltdownOptions(process.argv.slice(2)), usage, meltDown);

async function meltDown({
  shoots,
  nodes,
  outages,
  seed,
  json,
  configured,
  faults,
  kubelets,
  machines,
  kubeletsAhead,
  silences,
  ...kept
}: MeltdownOptions): Promise<void> {
  const told = progress(systemClock, (line) => process.stderr.write(`${line}\n`));
  const { say } = told;
  try {
    const [keep, journalDirectory, logDirectory] = [
      kept.keep && keptDirectory('keep', kept.keep),
      kept.journalDir && keptDirectory('journal-dir', kept.journalDir),
      kept.logDir && keptDirectory('log-dir', kept.logDir),
    ];
    told.goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
    const ground = await prepareGround('meltdown', say, {
      directory: keep || undefined,
    });
    const { directory } = ground;
    const hollowKubelet = kubelets === 'hollow' ? await findHollowKubelet(say) : undefined;
    const machinePrograms = machines === 'real' ? await findMachinePrograms(say) : undefined;
    const place = await preparePlace(
      { ...ground, journalDirectory, logDirectory, hollowKubelet, machinePrograms, kubeletsAhead, silences },
      seed,
      configured,
    );
    if (silences) {
      const failures = await silence(place, { shoots, nodes, silences: outages }, told, json);
      process.exitCode = failures === 0 ? 0 : 1;
      return;
    }
    const played: TwinOutages[] = [];
    say(`phases from --seed ${seed}; load ${load()}`);
    const generation = generationOf(place);
    if (!json) print(headLines(generation, kubelets === 'played' && machines === 'played').join('\n'));
    const { probeInterval, backoffJitterFactor } = place.config;
    // From one rested probe to the next it is up to so long.
    const cutWithin = probeInterval * (1 + backoffJitterFactor);
    const meltdown = { watched: shoots, unwatched: shoots, nodes, outages, cutWithin, faults };
    await runMeltdown(place, meltdown, told, (twins) => {
      played.push(twins);
      print(
        json ? JSON.stringify({ type: 'outage', ...twins }) : [outageLine(twins), ...troubleLines(twins)].join('\n'),
      );
    });
    const sum = sumUp(played);
    const why = whyLater(sum, place.config);
    print(
      json ? JSON.stringify({ type: 'sum', seed, ...sum, why }) : ['', ...sumLines(sum, generation, why)].join('\n'),
    );
    say(`over; load ${load()}`);
    if (keep) say(`the logs of all processes are in ${keep}`);
    if (keep || logDirectory) say(`the prober's log is ${join(logDirectory || directory, 'prober.log')}`);
    const journal = journalDirectory || keep;
    if (journal) say(`the prober's journal is in ${journal}; to see it: npm run -s replay -- ${journal}`);
    process.exitCode = sum.failures.length === 0 ? 0 : 1;
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error));
    if (error instanceof KeptDirectoryUnusable || error instanceof ProgramMissing) return;
    giveUp(
      `The meltdown could not be played. ${kept.keep ? `The logs of all processes are in ${kept.keep}.` : '--keep DIR keeps the logs of all processes.'}`,
    );
    if (error instanceof Error && error.stack !== undefined) say(error.stack);
  } finally {
    await endTheLiving();
    told.stop();
  }
}

/** Resolves to how many things went wrong. */
async function silence(place: MeltdownGround, how: Parameters<typeof runSilences>[1], told: Progress, json: boolean) {
  const played: Silence[] = [];
  if (!json) print(silenceHead);
  await runSilences(place, how, told, (one) => {
    played.push(one);
    print(json ? JSON.stringify({ type: 'silence', ...one }) : silenceLine(one));
  });
  const failures = wrongWithSilences(played);
  if (json) print(JSON.stringify({ type: 'sum', silences: played.length, failures }));
  else
    print(
      ['', ...(failures.length === 0 ? ['No API server that came back took its shoot down.'] : failures)].join('\n'),
    );
  return failures.length;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function giveUp(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}

function load(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
}
