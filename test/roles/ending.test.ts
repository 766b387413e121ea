import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { electionFlag, roleStage, type RoleRun } from '../support/role-stage.ts';

const hour = 3_600_000;

async function isServed(run: RoleRun): Promise<readonly boolean[]> {
  const ports = run.lines.find(({ ports: at }) => at !== undefined)?.['ports'] as Readonly<Record<string, number>>;
  return await Promise.all(
    Object.values(ports).map(
      (port) =>
        new Promise<boolean>((resolve) => {
          const socket = connect(port, '127.0.0.1')
            .on('connect', () => {
              socket.destroy();
              resolve(true);
            })
            .on('error', () => resolve(false));
        }),
    ),
  );
}

test('1.4 S6 a role that must end cuts the write that is in flight, and begins no other', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one');
  const [shoot] = stage.seed.shoots;
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  stage.seed.api.setFault({ kind: 'hang', at: 'answer' }, ({ verb }) => verb === 'patch');
  shoot!.cutOff();
  const patches = () => stage.seed.api.requests.all.filter(({ verb }) => verb === 'patch').length;
  await stage.until(() => patches() === 2, 60_000, 'both writes are in flight');
  expect(await isServed(prober)).toEqual([true, true, true]);
  expect(stage.seed.api.unanswered).toBe(2);
  const seen = prober.lines.length;
  expect(await stage.end(prober)).toBe(0);
  expect(prober.lines.slice(seen).map(({ msg }) => msg)).toEqual([
    'the prober ends: SIGTERM',
    `${shoot!.name} may be left with kube-controller-manager, machine-controller-manager at 0: a scale-down is under way`,
    '1 shoot stays scaled down until a prober leads again, or until the command release raises it',
  ]);
  expect(await isServed(prober)).toEqual([false, false, false]);
  await stage.until(() => stage.seed.api.unanswered === 0, 1_000, 'their connections are gone');
  await stage.pass(60_000);
  expect(patches()).toBe(2);
});

test('1.4 a wall clock that is set back by an hour ends it with code 1, and one that is set forth does not', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one');
  prober.wall.ahead += hour;
  await stage.pass(10_000);
  expect(prober.isOver).toBe(false);
  prober.wall.ahead -= hour;
  await stage.until(() => prober.isOver, 5_000, 'it has ended');
  expect(prober.code).toBe(1);
  expect(prober.find('the prober ends', { why: 'the clock was set back by 60m00s' })).toBeDefined();
});

test('8 1.4 9.4 a Lease that cannot be released is told, with where it is and when it runs out', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one', [electionFlag]);
  await stage.until(() => prober.find('leadership', { leadership: 'leading' }) !== undefined, 20_000, 'it leads');
  stage.seed.api.setFault({ kind: 'status', code: 503 }, ({ resource }) => resource === 'leases');
  expect(await stage.end(prober)).toBe(0);
  const { api } = stage.seed;
  expect(prober.find('cannot release the Lease')?.msg).toMatch(
    `cannot release the Lease garden/dwd-prober-leader-election on ${api.url}, it runs out by itself within 15.0 s: 503 `,
  );
});

test('1.4 11.1 a role ends once its last lines were taken, or after a second', async () => {
  await using stage = await roleStage();
  const [read, unread] = [await stage.start('one'), await stage.start('two')];
  for (const { output } of [read, unread]) output.stand();
  for (const run of [read, unread]) run.terminate();
  await stage.pass(500);
  expect([read.isOver, unread.isOver]).toEqual([false, false]);
  read.output.go();
  await stage.pass(100);
  expect([read.isOver, unread.isOver]).toEqual([true, false]);
  expect(read.lines.at(-1)).toMatchObject({ line: 'left' });
  await stage.pass(1_000);
  expect([read.code, unread.code]).toEqual([0, 0]);
});
