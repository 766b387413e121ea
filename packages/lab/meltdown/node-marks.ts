import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';

type Node = Readonly<{
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}>;

/** Which nodes of a shoot its controller-manager takes for dead, by a watch on its API server. */
export class NodeMarks {
  /** Nodes that are marked now. */
  readonly marked = new Set<string>();
  /** Every mark, with the instant at which the watch showed it, in ms. */
  readonly all: Readonly<{ node: string; at: number }>[] = [];
  readonly #shoot: RealApiServer;
  readonly #isAway: boolean;
  #stopped = false;

  /** `isAway`: the API server is away at times, and is watched again until it is back. */
  constructor(shoot: RealApiServer, isAway = false) {
    this.#shoot = shoot;
    this.#isAway = isAway;
  }

  /** Goes on until it is stopped. Rejects if it fails. */
  async follow(): Promise<void> {
    while (!this.#stopped)
      await this.#shoot
        .watch('/api/v1/nodes?watch=1', ({ type, object }) => {
          const node = object as unknown as Node;
          if (type === 'DELETED') this.marked.delete(node.metadata.name);
          else this.#onNode(node);
        })
        .catch(async (error: unknown) => {
          if (!this.#stopped && !this.#isAway) throw error;
          await pause(200);
        });
  }

  stop(): void {
    this.#stopped = true;
  }

  #onNode({ metadata: { name }, status }: Node): void {
    // A kubelet that has just come says False itself.
    const isMarked = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'Unknown');
    if (isMarked !== true) this.marked.delete(name);
    else if (!this.marked.has(name)) {
      this.marked.add(name);
      this.all.push({ node: name, at: Date.now() });
    }
  }
}
