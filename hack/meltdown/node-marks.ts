import type { RealApiServer } from '../real/api-server.ts';

type Node = Readonly<{
  metadata: { name: string };
  status?: { conditions?: { type: string; status: string }[] };
}>;

/** Which nodes of a shoot are taken for dead, as its API server tells it at once. */
export class NodeMarks {
  /** Those that are marked now. */
  readonly marked = new Set<string>();
  /** Every mark that there was, with when it was told of, in ms. */
  readonly all: Readonly<{ node: string; at: number }>[] = [];
  readonly #shoot: RealApiServer;
  #stopped = false;

  constructor(shoot: RealApiServer) {
    this.#shoot = shoot;
  }

  /** Goes on until it is stopped; rejects if something goes wrong with it. */
  async follow(): Promise<void> {
    while (!this.#stopped)
      await this.#shoot
        .watch('/api/v1/nodes?watch=1', ({ object }) => this.#told(object as unknown as Node))
        .catch((error: unknown) => {
          if (!this.#stopped) throw error;
        });
  }

  stop(): void {
    this.#stopped = true;
  }

  #told({ metadata: { name }, status }: Node): void {
    const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
    if (isReady === true || status?.conditions === undefined) this.marked.delete(name);
    else if (!this.marked.has(name)) {
      this.marked.add(name);
      this.all.push({ node: name, at: Date.now() });
    }
  }
}
