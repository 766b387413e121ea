import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from '@dwd/simulator/api/listen-on-loopback.ts';
import type { Kubelets } from './played-kubelets.ts';

const machinePath = /^\/machines\/([a-z0-9-]+)$/;

/**
 * A machine that was made has to boot. The real machine-controller-manager counts on it: of a node that joins before its Machine bears the node's name
 * it hears nothing for three minutes.
 */
const bootsFor = 3_000;

/** A cloud whose machines are kubelets, for the driver of `hack/tools/machines`, which says what it asks. */
export class MachineCloud {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(kubelets: Kubelets, boots = bootsFor): Promise<MachineCloud> {
    const machines = new Machines(kubelets, boots);
    const server = createServer((request, response) => void machines.answer(request, response));
    return new MachineCloud(server, await listenOnLoopback(server, 0));
  }

  /** Its machines run on. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

class Machines {
  readonly #kubelets: Kubelets;
  readonly #boots: number;
  readonly #names = new Set<string>();

  constructor(kubelets: Kubelets, boots: number) {
    this.#kubelets = kubelets;
    this.#boots = boots;
  }

  async answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = machinePath.exec(url)?.[1];
    try {
      if (method === 'GET' && url === '/machines') response.end(JSON.stringify([...this.#names]));
      else if (method === 'PUT' && name !== undefined) {
        if (!this.#names.has(name)) void this.#boot(name);
        response.end();
      } else if (method === 'DELETE' && name !== undefined) {
        this.#names.delete(name);
        await this.#kubelets.end(name);
        response.end();
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  /** One that does not come up is gone again, as its manager finds out. */
  async #boot(name: string): Promise<void> {
    this.#names.add(name);
    try {
      await pause(this.#boots);
      if (this.#names.has(name)) await this.#kubelets.start(name);
    } catch (error) {
      process.stderr.write(`the machine ${name} did not come up: ${String(error)}\n`);
      this.#names.delete(name);
    }
  }
}
