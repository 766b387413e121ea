import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../src/simulator/api/listen-on-loopback.ts';
import type { Kubelets } from './kubelets.ts';

const machinePath = /^\/machines\/([a-z0-9-]+)$/;

/** A cloud whose machines are kubelets, for the driver of `hack/tools/machines`, which says what it asks. */
export class MachineCloud {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(kubelets: Kubelets): Promise<MachineCloud> {
    const server = createServer((request, response) => void answer(kubelets, request, response));
    return new MachineCloud(server, await listenOnLoopback(server, 0));
  }

  /** Its machines run on. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function answer(kubelets: Kubelets, { method, url = '' }: IncomingMessage, response: ServerResponse) {
  const name = machinePath.exec(url)?.[1];
  try {
    if (method === 'GET' && url === '/machines') response.end(JSON.stringify(kubelets.names));
    else if (method === 'PUT' && name !== undefined) {
      if (!kubelets.names.includes(name)) await kubelets.start(name);
      response.end();
    } else if (method === 'DELETE' && name !== undefined) {
      await kubelets.end(name);
      response.end();
    } else response.writeHead(404).end();
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}
