import { expect, test } from 'vitest';
import { PlainDependants } from '@dwd/testing/plain-dependants.ts';
import { roleStage, type RoleRun } from '../support/role-stage.ts';

const election = ['--enable-leader-election'];
const kinds = ['found down', 'found', 'roll call', 'left down', 'left'];
const roll = ({ lines }: RoleRun) => lines.filter(({ line }) => kinds.includes(String(line))).map(({ msg }) => msg);

test('6.10 9.4 a prober says what stays down when it ends, and the next one what it found down; a standby says nothing of shoots', async () => {
  await using stage = await roleStage();
  const [shoot] = stage.seed.shoots;
  const { name } = shoot!;
  const leader = await stage.start('one', election);
  const standby = await stage.start('two', election);
  await stage.until(() => leader.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  shoot!.cutOff();
  await stage.until(() => leader.find('state changed', { to: 'scaledDown' }) !== undefined, 120_000, 'it is down');
  await stage.pass(400_000);
  expect(roll(standby)).toEqual([]);
  expect(await stage.end(standby)).toBe(0);
  expect(roll(standby)).toEqual([]);
  expect(await stage.end(leader)).toBe(0);

  const both = 'kube-controller-manager (1 replica recorded), machine-controller-manager (1 replica recorded)';
  expect(roll(leader)[0]).toBe('1 shoot: none was found down');
  expect(roll(leader)).toContain('1 shoot: 1 scaled down');
  expect(roll(leader).slice(-2)).toEqual([
    `${name} stays scaled down: ${both}`,
    '1 shoot stays scaled down until a prober leads again, or until the command release raises it',
  ]);

  const next = await stage.start('three', election);
  await stage.until(() => next.find('found') !== undefined, 60_000, 'it says what it found');
  expect(roll(next).slice(0, 2)).toEqual([
    `${name} was found scaled down by the watchdog: ${both}; it is scaled up once it is connected`,
    '1 shoot: 1 found scaled down by the watchdog',
  ]);
});

test('7.2 9.4 a weeder says how its services stand', async () => {
  await using stage = await roleStage({ shoots: 0 });
  const plain = new PlainDependants(stage.seed, stage.clock);
  plain.slice('shoot--a--one', 'etcd-main-client', [true]);
  plain.slice('shoot--a--two', 'etcd-main-client', [false]);
  const weeder = await stage.start('one', [], 'weeder');
  await stage.until(() => weeder.find('roll call') !== undefined, 120_000, 'it says how they stand');
  expect(await stage.end(weeder)).toBe(0);
  expect(roll(weeder)).toEqual([
    'etcd-main-client of shoot--a--two was found down: no pod is deleted until it is available',
    '2 services: 1 found down',
    '2 services: 1 down, 1 with an open window',
    'the window of etcd-main-client of shoot--a--one ends with this process; the weeder that leads next begins it anew',
  ]);
});
