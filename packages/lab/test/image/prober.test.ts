import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Column } from '../../meltdown/column.ts';
import { playOutage, type Outage } from '../../meltdown/outage.ts';
import { preparePlace, type MeltdownGround } from '../../meltdown/place.ts';
import { endTheLiving, isRemovedAfterUs } from '../../real/clearing-up.ts';
import { prepareGround } from '../../control-plane/prepare-ground.ts';
import { mebibytes } from '../support/figures.ts';
import { seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { noteFigure } from './figures.ts';
import { configVolume, gardenletStarts } from './gardenlet.ts';
import { Pod } from './pod.ts';
import { sayLogsOf } from './say-logs.ts';
import { gateway } from './pod-network.ts';
import { memoryLimit, program, type Mount } from './pod-spec.ts';
import { ProjectedAccount } from './service-account.ts';

const account = 'dependency-watchdog-prober';
const directory = mkdtempSync(join(tmpdir(), 'dwd-image-prober-'));
isRemovedAfterUs(directory);

/** A volume for the journal, which the pod's user may write, as `fsGroup` has it. */
const journal: Mount = { at: '/var/lib/journal', from: join(directory, 'journal'), writable: true };

let place: MeltdownGround;
let column: Column;
let config: Mount;
const pods: Pod[] = [];

/** A replica of Gardener's Deployment, with a token of its own. What comes after Gardener's flags stands in `more`. */
async function startReplica(name: string, mounts: readonly Mount[] = [], more: readonly string[] = []) {
  const projected = await ProjectedAccount.project(column.seed, account, join(directory, `${name}.account`));
  const spec = gardenletStarts('prober', column.seed, name, [config, projected.mount, ...mounts]);
  const pod = await Pod.start(directory, { ...spec, command: [...(spec.command ?? []), ...more] });
  pods.push(pod);
  return { pod, projected };
}

const leads = (pod: Pod) => async () => (await pod.metric('dwd_leader')) === 1;
const isReady = (pod: Pod) => async () => (await pod.get(9644, '/readyz')) !== undefined;
const guardsBoth = (pod: Pod) => async () => {
  const probes = await pod.metric('dwd_probe_duration_seconds_count');
  return (await pod.metric('dwd_probes_active')) === 2 && (probes ?? 0) >= 2;
};
const errorsOf = (pod: Pod) => pod.lines.filter(({ level }) => level === 'error' || level === 'ERROR');

/** When the Lease was last renewed, in ms. */
async function renewedAt(): Promise<number> {
  const lease = { namespace: 'garden', name: 'dwd-prober-leader-election' };
  const { spec } = await column.seed.operator.coordination.readNamespacedLease(lease);
  return Date.parse(String(spec?.renewTime));
}

beforeAll(async () => {
  const ground = await prepareGround('image', () => undefined, { directory });
  place = await preparePlace({ ...ground, address: gateway }, 13);
  config = configVolume('prober', join(directory, 'config'));
  mkdirSync(journal.from);
  chownSync(journal.from, 65532, 65532);
  column = await Column.start(place, 'watched', { shoots: 2, nodes: 3 });
  await column.join(Date.now(), (error) => {
    throw error;
  });
});

afterEach(({ task }) => sayLogsOf(pods, task));

afterAll(async () => {
  await Promise.all(pods.map((pod) => pod[Symbol.asyncDispose]()));
  await column?.[Symbol.asyncDispose]();
  await endTheLiving();
});

describe('1.6 two replicas of the prober, as gardenlet starts them', () => {
  let first: Pod;
  let second: Pod;

  test('1.6 they have 256 MiB, no right and nothing to write on, and guard the shoots of a real seed', async () => {
    const one = await startReplica('prober-1');
    first = one.pod;
    const readyAt = await first.until('it is ready', isReady(first));
    noteFigure({ what: 'prober: start to ready', is: seconds(readyAt - first.startedAt) });
    await first.until('it leads', leads(first));
    const { pod: standby } = await startReplica('prober-2', [journal], [`--journal-dir=${journal.at}`]);
    second = standby;
    await second.until('it is ready, as a standby', isReady(second));
    await first.until('it guards both shoots', guardsBoth(first));

    // Nobody has to find the configuration, whose name ends in a hash: the pod has it, and may read what is asked.
    const status = ['dependency-watchdog', 'status', '--config-file=/etc/dependency-watchdog/config/dep-config.yaml'];
    expect(await first.exec(...status)).toMatch(/^The prober \S+ leads: [^]*\n2 shoots: 2 watched; none is at odds/);

    for (const pod of [first, second]) {
      const { rights } = pod;
      expect(pod.measure().limit).toBe(memoryLimit);
      expect(rights).toMatch(/^Uid:(?:\t65532){4}$/m);
      expect(rights).toMatch(/^Gid:(?:\t65532){4}$/m);
      expect(rights).toMatch(/^CapEff:\t0+$/m);
      expect(rights).toMatch(/^CapBnd:\t0+$/m);
      expect(rights).toMatch(/^NoNewPrivs:\t1$/m);
      expect(pod.writablePlaces()).toEqual(pod === second ? [journal.at] : []);
    }

    const old = await one.projected.renew();
    await expect.poll(() => one.projected.statusOf(old)).toBe(401);
    expect(await one.projected.statusOf(one.projected.token)).toBe(200);
    const from = Date.now();
    await first.until('it renews its Lease with the new token', async () => (await renewedAt()) > from + 5_000);
    expect(await first.metric('dwd_leader')).toBe(1);
    const { workingSet, resident } = first.measure();
    const idle = `${mebibytes(workingSet)}, resident ${mebibytes(resident)}`;
    noteFigure({ what: 'prober: memory, idle', is: idle, atMost: '90 MiB' });
    expect(workingSet).toBeLessThan(90 * 1_048_576);
  });

  test('1.6 one outage is protected and healed; of another one the second replica heals what the first took down and was killed', async () => {
    const [one, other] = column.shoots;
    if (one === undefined || other === undefined) throw new Error('two shoots were asked for');
    const cutAt = Date.now() + 1_000;
    const wholeStory = playOutage(place, one, column.deployments, { cutAt, fault: { kind: 'cut' } });
    // Its threshold is over when the first is healed.
    const laterCutAt = cutAt + 70_000;
    const otherStory = playOutage(place, other, column.deployments, { cutAt: laterCutAt, fault: { kind: 'cut' } });

    const whole = await wholeStory;
    expect(whole).toMatchObject({ marked: 0, changes: [] });
    expect(whole.goneAt).toBeLessThan(whole.foretoldAt);
    noteOutage('one prober', whole);
    // It has no volume: the journal is in its memory, and an operator gets it by a port that is forwarded.
    const remembered = await first.getFromWithin(9645, '/journal');
    expect(remembered).toMatch(new RegExp(`"subject":"${one.name}".*"scaledDown"`));

    const down = () => column.deployments.scalings(other.name, laterCutAt).filter(({ replicas }) => replicas === 0);
    await first.until('all of the second shoot is down', () => down().length === place.config.dependants.length);
    noteFigure({
      what: 'prober: memory, at most',
      is: mebibytes(first.measure().peak),
      atMost: mebibytes(memoryLimit),
    });
    const killedAt = Date.now();
    await first.signal('KILL');
    const ledAt = await second.until('it leads after the other was killed', leads(second));
    noteFigure({ what: 'fail-over after kill -9', is: seconds(ledAt - killedAt), atMost: '20.0 s' });
    expect(ledAt - killedAt).toBeLessThan(20_000);

    const handedOver = await otherStory;
    expect(handedOver).toMatchObject({ marked: 0, changes: [] });
    noteOutage('killed meanwhile, healed by the other', handedOver);
    expect([...errorsOf(first), ...errorsOf(second)]).toEqual([]);
  });

  test('1.6 SIGTERM ends the first process within 5 s with code 0, and another replica leads at once', async () => {
    const { pod: third } = await startReplica('prober-3');
    await third.until('it is ready, as a standby', isReady(third));
    const toldAt = Date.now();
    const led = third.until('it leads after the other has ended', leads(third));
    await second.signal('TERM');
    const took = await second.endsWell();
    expect(took).toBeLessThan(5_000);
    noteFigure({ what: 'SIGTERM to the end', is: seconds(took), atMost: '5.0 s' });
    const failOver = (await led) - toldAt;
    noteFigure({ what: 'fail-over after SIGTERM', is: seconds(failOver), atMost: '5.0 s' });
    expect(failOver).toBeLessThan(5_000);
  });

  test('1.6 the journal of its volume is replayed by the same image', async () => {
    const command = [program, 'replay', journal.at];
    const mounts = [{ ...journal, writable: false }];
    const replay = await Pod.start(directory, { name: 'replay', command, env: {}, mounts });
    await replay.endsWell(60_000);
    // It became the leader in the middle of this outage, and saw its end.
    expect(replay.said).toContain(column.shoots[1]?.name);
    expect(replay.said).toMatch(/scaledDown → scalingUp/);
  });
});

function noteOutage(who: string, { scaledAt, knowableAt, foretoldAt, goneAt, backAfter }: Outage): void {
  if (scaledAt === undefined || goneAt === undefined || backAfter === undefined) return;
  noteFigure({
    what: `outage (${who}): threshold to kube-controller-manager at 0`,
    is: seconds(scaledAt - knowableAt),
  });
  noteFigure({ what: `outage (${who}): ended before it would have marked a node`, is: seconds(foretoldAt - goneAt) });
  noteFigure({ what: `outage (${who}): healed to all as before`, is: seconds(backAfter) });
}
