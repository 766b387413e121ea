import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A line to an API server that can die silently, as behind a NAT gateway that has forgotten its connections: open connections stay
 * open, and nothing comes through. New connections pass.
 */
export class DeadLine {
  readonly #target: URL;
  readonly #server: Server;
  readonly #open = new Set<Readonly<{ near: Socket; far: Socket }>>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      const pair = { near, far };
      this.#open.add(pair);
      for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => socket.destroy());
      near.pipe(far).pipe(near);
      near.once('close', () => {
        this.#open.delete(pair);
        far.destroy();
      });
      far.once('close', () => near.destroy());
    });
  }

  static async to(target: string): Promise<DeadLine> {
    const line = new DeadLine(target);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Data on its way is lost as well. */
  die(): void {
    for (const { near, far } of this.#open) {
      for (const socket of [near, far]) socket.unpipe().removeAllListeners('data').resume();
    }
  }

  async close(): Promise<void> {
    for (const { near } of this.#open) near.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
