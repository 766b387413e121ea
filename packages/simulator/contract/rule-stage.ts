import { afterAll, beforeAll } from 'vitest';
import { Wire } from './embedded-wire.ts';

export type ApiServerStage = Readonly<{
  url: string;
  ca: string;
  /** Of an administrator. */
  token: string;
  /** Of the user `weak`, who may ask for the version and nothing else. */
  weakToken: string;
  /** Serves `gadgets.test.example` too, a custom resource with status and scale. */
  stop: () => Promise<void>;
}>;

/** An API server for the tests of one `describe`, from its beginning to its end. */
export class RuleStage {
  #made = 0;
  #up: Readonly<{ server: ApiServerStage; wire: Wire }> | undefined;

  constructor(start: () => Promise<ApiServerStage>) {
    beforeAll(async () => {
      const server = await start();
      this.#up = { server, wire: new Wire(server) };
    });
    afterAll(async () => {
      await this.#up?.wire.close();
      await this.#up?.server.stop();
    });
  }

  get server(): ApiServerStage {
    return this.#begun.server;
  }

  /** Of the administrator. */
  get wire(): Wire {
    return this.#begun.wire;
  }

  /** Names are never used twice, since a real server keeps them from run to run. */
  fresh(what: string): string {
    return `${what}-${process.pid}-${Date.now()}-${(this.#made += 1)}`;
  }

  get #begun() {
    if (this.#up === undefined) throw new Error('the stage has not begun');
    return this.#up;
  }
}
