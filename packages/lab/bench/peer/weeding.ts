import { costOf } from '../support/process-cost.ts';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { weederConfig } from '../support/config-file.ts';
import { distributionOf } from '../support/distribution.ts';
import { StartedRole } from '../../real/started-role.ts';
import { startWeededSeed } from '../support/started-seed.ts';
import type { Measure } from './measure.ts';
import { flags } from './staged-seed.ts';

const severalSelectors = join(import.meta.dirname, '../support/weeder-several-selectors.yaml');
const mebibyte = 1_048_576;

/** One service comes back, again and again, each time in a new window. `settle`: for a program that starts. */
export function weedOne({
  recoveries,
  namespaces,
  settle,
}: Readonly<{ recoveries: number; namespaces: number; settle: Millis }>): Measure {
  const window = 1_000;
  return {
    name: `${recoveries} recoveries of one service among ${2 * namespaces}`,
    figures: [
      { what: 'from the ready endpoint to the first deletion, median', unit: 'ms' },
      { what: 'from the ready endpoint to the first deletion, worst', unit: 'ms' },
      { what: 'recoveries in which something was deleted', unit: 'of them' },
      { what: 'deleted wrongly, or twice', unit: 'pods' },
    ],
    play: async (command) => {
      using config = weederConfig(`${window}ms`);
      const configFile = config.path;
      const services = ['kube-apiserver', 'etcd-main-client'];
      using seed = await startWeededSeed({ namespaces, forsaken: 0, services, available: true });
      const { kubeconfig } = seed;
      await using weeder = await StartedRole.start('weeder', {
        command,
        kubeconfig,
        configFile,
        flags,
      });
      // Its lists are in, and the windows of its start are over: no program tells us so.
      await pause(settle + window);
      weeder.refuseEnd();
      const waits: number[] = [];
      // The first one warms up.
      for (let count = 0; count <= recoveries; count += 1) {
        await seed.fail(false);
        // The weeder has seen it, and the last window is over.
        await pause(2 * window);
        const wait = await seed.recover();
        if (count > 0 && wait !== undefined) waits.push(wait);
      }
      weeder.refuseEnd();
      const { median, worst } = distributionOf(waits);
      return [median, worst, waits.length, (await seed.report()).mistakes.length];
    },
  };
}

/** All services of a seed come back at once, each with three selectors. */
export function weedAll({
  services,
  settle,
  limit,
}: Readonly<{ services: number; settle: Millis; limit: Millis }>): Measure {
  return {
    name: `${services} services come back at once, three selectors each`,
    figures: [
      { what: 'to the first deletion of a service, median', unit: 's' },
      { what: 'to the last deletion of all', unit: 's' },
      { what: 'dependants left', unit: 'pods' },
      { what: 'deleted wrongly, or twice', unit: 'pods' },
      { what: 'requests', unit: 'a service' },
      { what: 'connections made', unit: 'a service' },
      { what: 'CPU', unit: 'ms a service' },
      { what: 'memory at most', unit: 'MiB' },
    ],
    play: async (command) => {
      using seed = await startWeededSeed({
        namespaces: services,
        forsaken: 10,
        services: ['kube-apiserver'],
        available: false,
      });
      const options = { kubeconfig: seed.kubeconfig, configFile: severalSelectors, flags };
      await using weeder = await StartedRole.start('weeder', { command, ...options });
      await pause(settle);
      weeder.refuseEnd();
      const before = costOf(weeder.pid);
      const was = await seed.recoverAll();
      const giveUpAt = Date.now() + limit;
      let is = was;
      while (is.recoveries.some(({ left }) => left > 0) && Date.now() < giveUpAt) {
        await pause(250);
        is = await seed.report();
      }
      // What is deleted twice, or wrongly, would be by now.
      await pause(3_000);
      weeder.refuseEnd();
      const after = costOf(weeder.pid);
      is = await seed.report();
      const began = Math.min(...is.recoveries.map(({ availableAt }) => availableAt));
      const firsts = is.recoveries.flatMap(({ availableAt, deletedAt: [first] }) => first && first - availableAt);
      const lastAt = Math.max(...is.recoveries.flatMap(({ deletedAt }) => deletedAt));
      return [
        distributionOf(firsts.filter((one) => one !== undefined)).median / 1_000,
        (lastAt - began) / 1_000,
        is.recoveries.reduce((sum, { left }) => sum + left, 0),
        is.mistakes.length,
        (count(is.requests) - count(was.requests)) / services,
        (is.madeConnections - was.madeConnections) / services,
        before && after && ((after.cpuSeconds - before.cpuSeconds) * 1_000) / services,
        after && after.mostResidentBytes / mebibyte,
      ];
    },
  };
}

function count(requests: Readonly<Record<string, number>>): number {
  return Object.values(requests).reduce((sum, one) => sum + one, 0);
}
