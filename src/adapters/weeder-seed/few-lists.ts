import type { Clock } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { Lane } from '../seed-client/lane.ts';
import { longestQueue } from '../seed-client/rate-limit.ts';

/**
 * The client, with at most `most` lists under way at a time. The list of a control plane has half a megabyte, and a hundred at once,
 * as many as may be in flight, would be the peak of the whole program's memory. Each would also take a connection of its own.
 */
export function fewLists(client: KubeClient, clock: Clock, most: number): KubeClient {
  const lane = new Lane(clock, { bucket: undefined, inFlight: most, waiting: longestQueue });
  return {
    async request(request) {
      const { signal } = request;
      const leave = await lane.admit({ signals: signal === undefined ? [] : [signal] });
      try {
        return await client.request(request);
      } finally {
        leave();
      }
    },
    lines: (request) => client.lines(request),
    pieces: (request) => client.pieces(request),
  };
}
