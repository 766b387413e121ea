/**
 * What a scrape costs at 1,000 shoots, all of which have been scaled down and up and have failed to be probed: each has
 * its state and three series more. The event loop stands still meanwhile. Aim: at most 20 ms.
 *
 *     node packages/lab/bench/scrape.ts [shoots]
 */
import { createMetrics } from 'dependency-watchdog/adapters/record/metrics/metrics.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';

const shoots = Number(process.argv[2] ?? 1_000);
const rounds = 50;
const metrics = createMetrics();

for (let index = 0; index < shoots; index++)
  for (const turn of storyOf(`shoot--proj${index % 40}--name${index}`)) metrics.observe(turn);

const times: number[] = [];
let bytes = 0;
for (let round = 0; round < rounds; round++) {
  const { user, system } = process.cpuUsage();
  bytes = (await metrics.text()).length;
  const used = process.cpuUsage({ user, system });
  times.push((used.user + used.system) / 1_000);
}

const sorted = times.toSorted((one, other) => one - other);
const at = (fraction: number) => sorted[Math.min(rounds - 1, Math.floor(rounds * fraction))]!.toFixed(1);
const slow = Number(at(0.5)) > 20;
process.stdout.write(
  `scrape of ${shoots} shoots: median ${at(0.5)} ms, p95 ${at(0.95)} ms of CPU, ${(bytes / 1_024).toFixed(0)} KiB; ` +
    `aim: median ≤ 20 ms at 1,000 shoots: ${slow ? 'missed' : 'kept'}\n`,
);
process.exitCode = slow && shoots <= 1_000 ? 1 : 0;

/** As little of a life as makes every series that a shoot usually has. */
function storyOf(shoot: string): readonly ShootTurn[] {
  const key = 'apps/v1/Deployment/kube-controller-manager';
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kube-controller-manager' };
  const seen = {
    found: true,
    resourceVersion: '1',
    replicas: 1,
    readyReplicas: 1,
    observed: true,
    marked: false,
    ignored: false,
  } as const;
  const turn = (event: ShootTurn['event'], commands: ShootTurn['commands'] = []): ShootTurn => {
    const told = {
      kind: 'shoot',
      subject: shoot,
      seq: 1,
      at: 1_000,
      from: 'probing',
      to: 'probing',
      notes: [],
    } as const;
    return { ...told, event, commands, before: undefined, after: undefined };
  };
  const scale = (number: number, replicas: number) => ({ number, key, ref, seen, change: { replicas }, urgent: true });
  const write = (number: number, replicas: number) => [
    turn({ type: 'woken', at: 1 }, [{ type: 'scale', params: scale(number, replicas) }]),
    turn({
      type: 'scale.answered',
      at: 2,
      askedAt: 1,
      asked: scale(number, replicas),
      answer: { outcome: 'written', view: seen },
    }),
  ];
  const failure = { stage: 'version', reason: 'unreachable', detail: 'no route' } as const;
  return [turn({ type: 'probe.failed', at: 1, number: 1, askedAt: 1, failure }), ...write(2, 0), ...write(3, 1)];
}
