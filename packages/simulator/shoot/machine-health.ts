import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { NodeMark } from './controller-manager.ts';
import type { ApiServer } from '../api/api-server.ts';
import type { EmbeddedShoot } from './embedded-shoot.ts';

/** For so long a node is unreachable before its Machine is replaced. Gardener's `machineHealthTimeout` is ten minutes, which no story would wait for. */
export const healthTimeout: Millis = 10_000;

const machineController = 'machine-controller-manager';

/**
 * The part of a shoot's machine-controller-manager that replaces what is healthy: a Machine whose node was marked for so long. The one in its place joins
 * once the nodes reach their API server.
 */
export function machineHealth<Api extends ApiServer>(shoot: EmbeddedShoot<Api>) {
  let [seen, missing] = [0, 0];
  let marked: readonly NodeMark[] = [];
  return {
    /** The nodes whose Machines are replaced now. */
    replace(now: Instant): readonly string[] {
      marked = [...marked, ...shoot.marks.slice(seen)].filter(({ node }) => shoot.unknownNodes.includes(node));
      seen = shoot.marks.length;
      const controller = shoot.dependants.get(machineController);
      if (controller !== undefined && controller.ready === 0) return [];
      const due = marked.filter(({ at }) => now - at >= healthTimeout).map(({ node }) => node);
      for (const node of due) shoot.removeNode(node);
      missing += due.length;
      return due;
    },
    /** The new ones are there. */
    rejoin(): void {
      shoot.addNodes(missing);
      missing = 0;
    },
  };
}
