import { expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import { gardenerControlPlane } from '@dwd/simulator/workloads/pod-group.ts';
import { watchedWeeder } from '../support/watched-weeder.ts';

const namespace = 'shoot--demo--01';
const minute: Millis = 60_000;

test.each([5_000, 1_000])(
  '7.3 a dependant that crashes for a reason of its own, %i ms after each start, is deleted four times in a window',
  async (failsAfter) => {
    await using stage = await watchedWeeder({ later: true });
    const groups = gardenerControlPlane.map((group) =>
      group.name === 'kube-scheduler' ? { ...group, failsAfter } : group,
    );
    const plane = stage.seed.addControlPlane(namespace, groups);
    plane.down('kube-scheduler');
    await stage.pass(10 * minute);
    // All windows open.
    await stage.start();
    await stage.pass(6 * minute);
    const began = stage.weeded.all[0]!.at;
    const at = stage.weeded.all.map((pod) => Math.round((pod.at - began) / 1_000));
    expect(at).toHaveLength(4);
    expect(at[1]).toBeGreaterThanOrEqual(30);
    expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(60);
    expect(at[3]! - at[2]!).toBeGreaterThanOrEqual(120);
    expect(stage.notesOf('podSpared').every(({ because }) => because === 'pause')).toBe(true);
    expect(stage.notesOf('windowClosed').reduce((sum, { deleted }) => sum + deleted, 0)).toBe(4);
  },
);
