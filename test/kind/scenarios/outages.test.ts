import { expect, test } from 'vitest';
import { ca, kcm, mcm, StagedShoot } from '../staged-shoot.ts';

// Times: leases are renewed every 10 s and expire 30 s after; probes come every 5 s; each outage lasts some 40 s.

test.concurrent('3.1 L1 L2 S4 S5 outbound traffic is cut and healed: all goes down in order, and returns', async (context) => {
  const shoot = await StagedShoot.raise(context, 'cut-and-healed');
  await shoot.reaches('probing');
  await shoot.probed();
  expect(shoot.isUntouched).toBe(true);

  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
  expect(shoot.replicas).toEqual({ [kcm]: 0, [mcm]: 0, [ca]: 0 });
  expect(shoot.wentDown().toSorted()).toEqual([ca, kcm, mcm]);
  expect(shoot.wentDown().at(-1)).toBe(kcm);
  expect(shoot.dependant(kcm)).toMatchObject({ marked: true, record: '2' });
  expect(shoot.history.filter(({ replicas, marked }) => replicas === 0 && !marked)).toEqual([]);

  await shoot.nodes.heal();
  await shoot.reaches('probing');
  await shoot.until('all is back', () => shoot.isUnmarked);
  expect(shoot.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1 });
  expect(shoot.cameUp()).toEqual([kcm, mcm, ca]);
});
