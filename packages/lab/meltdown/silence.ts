import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { cutOffAt, expiryOf } from '@dwd/testing/store-laws.ts';
import type { Progress } from '../options/progress.ts';
import type { StartedRole } from '../real/started-role.ts';
import { Column } from './column.ts';
import type { MeltingShoot } from './melting-shoot.ts';
import { type MeltdownGround, guards, startProber } from './place.ts';
import type { PlayedDeployments } from './played-deployments.ts';

/** `server`: the API server serves nobody. `own`: the watchdog's own way is out, and while it is, the nodes are cut off. */
const kinds = ['server', 'own'] as const;

/** One silence of one shoot's API server; lengths in ms. */
export type Silence = Readonly<{
  number: number;
  shoot: string;
  kind: (typeof kinds)[number];
  lasted: number;
  /** From the end of the silence until the seed first showed a dependant at 0; undefined where none came to it. */
  firstWriteAfter: number | undefined;
  /** Whether the prober waited for a renewal before it judged. */
  doubted: boolean;
  marked: number;
  nodes: number;
  /** What was not as before at the end. */
  changes: readonly string[];
}>;

const serverIsAwayFor = 90_000;
/** Longer than any regular probe is apart, so that a failed one is among them. */
const ownWayIsOutFor = 50_000;
/** A way down begins within 22 s of the end of a silence. */
const looksFor = 35_000;

/**
 * Silences of real API servers before a real prober, both kinds in turn, as many at once as there are shoots (SPEC 5.1). Tells each as soon as it is
 * over; rejects if the machinery fails.
 */
export async function runSilences(
  place: MeltdownGround,
  { shoots, nodes, silences }: Readonly<{ shoots: number; nodes: number; silences: number }>,
  { say, goesOn }: Pick<Progress, 'say' | 'goesOn'>,
  onSilence: (silence: Silence) => void,
): Promise<void> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  goesOn(() => 'API servers start; each takes some seconds');
  await using column = await Column.start(place, 'watched', { shoots, nodes });
  goesOn(() => 'nodes join, and controller-managers look at them');
  await column.join(Date.now(), failed.reject);
  await using prober = await startProber(place, column.seed);
  goesOn(() => `the prober does not guard all ${shoots} shoots yet`);
  await guards(prober, shoots);
  const chance = place.chance('silences');
  for (let from = 0; from < silences; from += shoots) {
    const those = column.shoots.slice(0, silences - from);
    say(`${those.length} at once`);
    goesOn(() => 'API servers are silent');
    const round = those.map(async (shoot, index) => {
      await pause(chance() * place.config.probeInterval);
      const kind = kinds[(from + index) % kinds.length] ?? 'server';
      onSilence({ number: from + index + 1, ...(await playSilence(place, prober, shoot, column.deployments, kind)) });
    });
    await Promise.race([Promise.all(round), failed.promise]);
  }
  goesOn(() => 'ending all processes');
}

async function playSilence(
  place: MeltdownGround,
  prober: StartedRole,
  shoot: MeltingShoot,
  deployments: PlayedDeployments,
  kind: Silence['kind'],
): Promise<Omit<Silence, 'number'>> {
  const { name, marks, kubelets } = shoot;
  const [marksBefore, before, begin] = [marks.all.length, await shoot.state(), Date.now()];
  const doubtsBefore = doubts(prober, name);
  await (kind === 'server' ? shoot.serverAway(serverIsAwayFor) : ownWayOut(place, shoot));
  const over = Date.now();
  await pause(looksFor);
  if (kind === 'own') await shoot.paths.heal('external');
  const healedAt = Date.now();
  const changes = await shoot.changesSince(before, healedAt);
  const zero = deployments.scalings(name, begin).find(({ replicas }) => replicas === 0);
  return {
    shoot: name,
    kind,
    lasted: over - begin,
    firstWriteAfter: zero && zero.at - over,
    doubted: doubts(prober, name) > doubtsBefore,
    marked: new Set(marks.all.slice(marksBefore).map(({ node }) => node)).size,
    nodes: kubelets.names.length,
    changes,
  };
}

/** The nodes are cut off while nobody can see it, and the own way is back as soon as it could be known. */
async function ownWayOut({ config }: MeltdownGround, shoot: MeltingShoot): Promise<void> {
  await shoot.paths.break('internal', { kind: 'refuse' });
  await pause(ownWayIsOutFor);
  await shoot.paths.break('external', { kind: 'cut' });
  await pause(2_000);
  const expiries = (await shoot.renewals()).map((at) => expiryOf(at, config.kcmNodeMonitorGraceDuration));
  await pause(Math.max(0, cutOffAt(expiries, config.nodeLeaseFailureFraction) - Date.now()));
  await shoot.paths.heal('internal');
}

/** How often the prober's log says that it waits for renewals of this shoot. */
function doubts(prober: StartedRole, shoot: string): number {
  return prober.lines.filter((line) => (line['line'] ?? line.msg) === 'leases in doubt' && line['shoot'] === shoot)
    .length;
}

const columns = [9, 16, 8, 10, 22, 10, 9] as const;
const row = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(columns[index] ?? 0))
    .join('')
    .trimEnd();

export const silenceHead = row(['silence', 'shoot', 'kind', 'lasted', '1st write after it', 'doubted', 'marked']);

export function silenceLine({ number, shoot, kind, lasted, firstWriteAfter, doubted, marked, nodes }: Silence): string {
  return row([
    String(number),
    shoot,
    kind,
    seconds(lasted),
    firstWriteAfter === undefined ? 'none' : seconds(firstWriteAfter),
    doubted ? 'yes' : 'no',
    `${marked} of ${nodes}`,
  ]);
}

/** A sentence for each thing that should have been otherwise. */
export function wrongWithSilences(all: readonly Silence[]): readonly string[] {
  return [
    ...(all.length === 0 ? ['No API server was silent.'] : []),
    ...all.flatMap(({ number, kind, firstWriteAfter, doubted, marked, changes }) => {
      const wrong = [
        ...(kind === 'server' && firstWriteAfter !== undefined ? ['a shoot went down that was well'] : []),
        ...(kind === 'server' && marked > 0 ? [`${marked} nodes were marked that were well`] : []),
        ...(kind === 'own' && firstWriteAfter === undefined ? ['nothing was scaled down'] : []),
        ...(kind === 'own' && doubted ? ['the prober waited, though leases were renewed meanwhile'] : []),
        ...changes,
      ];
      return wrong.map((one) => `silence ${number}: ${one}`);
    }),
  ];
}
