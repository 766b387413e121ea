import { expect, test } from 'vitest';
import { autopilotKind, PlayedAutopilots } from '../play/played-autopilots.ts';
import { ca, kcm, mcm, StagedShoot } from '../staged-shoot.ts';

// Dependants of other kinds, which an operator adds to the configuration and to the grants. Times: leases are renewed every
// 10 s and expire after 30 s; probes come every 5 s.

test.concurrent('6.4 6.5 6.6 S5 a StatefulSet goes down with its level, and returns to the replicas that it had', async (context) => {
  const shoot = await StagedShoot.raise(context, 'stateful-set');
  shoot.seen.follow({ group: 'apps', version: 'v1', plural: 'statefulsets' });
  await shoot.addWorkload('StatefulSet', 'vpn-seed-server', 2);
  await shoot.until('it has its pods', () => shoot.pods.of('vpn-seed-server').length === 2);
  await shoot.isProbed();
  expect(shoot.seen.isUntouched).toBe(true);

  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual({ [kcm]: 0, [mcm]: 0, [ca]: 0, 'vpn-seed-server': 0 });
  expect(shoot.seen.wentDown().at(-1)).toBe(kcm);
  expect(shoot.seen.of('vpn-seed-server')).toMatchObject({ marked: true, record: '2' });
  expect(shoot.pods.of()).toEqual([]);

  await shoot.nodes.heal();
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 4 && shoot.seen.isUnmarked);
  expect(shoot.seen.cameUp()).toEqual([kcm, mcm, ca, 'vpn-seed-server']);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1, 'vpn-seed-server': 2 });
});

test.concurrent('6.4 6.5 6.6 S5 a custom resource with a scale, of a kind that comes while the prober runs', async (context) => {
  const shoot = await StagedShoot.raise(context, 'custom-resource');
  await shoot.isProbed();
  await PlayedAutopilots.define(shoot.seed);
  const autopilots = new PlayedAutopilots(shoot.seed, shoot.name, shoot.ending);
  await autopilots.add('autopilot', 3);
  shoot.seen.follow(autopilotKind);
  await shoot.probed();
  expect(shoot.seen.isUntouched).toBe(true);

  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual({ [kcm]: 0, [mcm]: 0, [ca]: 0, autopilot: 0 });
  expect(shoot.seen.wentDown().slice(2)).toEqual([kcm, 'autopilot']);
  expect(shoot.seen.of('autopilot')).toMatchObject({ marked: true, record: '3' });
  // Its mark and its scale are written one after the other, and the zero is never without its mark.
  expect(shoot.seen.history.filter(({ replicas, marked }) => replicas === 0 && !marked)).toEqual([]);

  await shoot.nodes.heal();
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 4 && shoot.seen.isUnmarked);
  expect(shoot.seen.cameUp().slice(0, 2).toSorted()).toEqual(['autopilot', kcm]);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1, autopilot: 3 });
});
