import { expect, test } from 'vitest';
import { roleStage } from '../support/role-stage.ts';

test('6.6 a watch that falls silent as our own write is sent is opened anew within seconds, and the way down is not held up', async () => {
  const silence = { wanted: false, api: undefined as { fall: () => void } | undefined };
  await using stage = await roleStage({
    permits: ({ verb }) => {
      if (verb === 'patch' && silence.wanted) silence.api?.fall();
      return true;
    },
  });
  const prober = await stage.start('one');
  const [shoot] = stage.seed.shoots;
  await stage.until(() => prober.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  const { api } = stage.seed;
  // The connections stay, and nothing comes over them any more; new ones are well.
  silence.api = { fall: () => api.setFault({ kind: 'hang', at: 'answer' }, () => false) };
  silence.wanted = true;
  shoot!.cutOff();
  await stage.until(() => stage.writes().length === 2, 60_000, 'both are written');
  silence.wanted = false;
  const writtenAt = stage.clock.now();
  await stage.until(() => prober.find('state changed', { to: 'scaledDown' }) !== undefined, 10_000, 'it is down');
  expect(stage.clock.now() - writtenAt).toBeLessThan(8_000);
  expect(prober.find('scaling not done in time')).toBeUndefined();
});

test('6.6 a watch that lags behind what a GET has shown is opened anew within seconds', async () => {
  await using stage = await roleStage();
  const prober = await stage.start('one');
  const [shoot] = stage.seed.shoots;
  const { api } = stage.seed;
  const beganAt = stage.clock.now();
  shoot!.cutOff();
  await stage.until(() => prober.find('state changed', { to: 'scaledDown' }) !== undefined, 120_000, 'it is down');
  await stage.until(() => stage.clock.now() - beganAt > 302_000, 310_000, 'the last list after the begin is over');
  api.setFault({ kind: 'hang', at: 'answer' }, () => false);
  shoot!.dependants.annotate('kube-controller-manager', { 'example.org/touched': 'yes' });
  const asked = (verb: string) => api.requests.all.filter((one) => one.verb === verb && one.resource === 'deployments');
  const [gets, watches] = [asked('get').length, asked('watch').length];
  // What is believed to be down is looked at once a minute.
  await stage.until(() => asked('get').length > gets, 70_000, 'it is looked at again');
  await stage.until(() => asked('watch').length > watches, 5_000, 'its watch is opened anew');
  expect(stage.writes().length, 'nothing is written for it').toBe(2);
});
