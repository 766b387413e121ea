import type { KubeClient, KubeRequest, LinesRequest } from 'dependency-watchdog/adapters/kube/kube-client.ts';

/** A client whose watches can be cut and kept from opening, and whose requests can be preceded by something. */
export class SwitchedClient implements KubeClient {
  /** Waited for before each request is sent. */
  before: (request: KubeRequest) => Promise<void> = () => Promise.resolve();
  readonly #client: KubeClient;
  #cut = new AbortController();
  #open = Promise.withResolvers<void>();

  constructor(client: KubeClient) {
    this.#client = client;
    this.#open.resolve();
  }

  async request(request: KubeRequest): Promise<unknown> {
    await this.before(request);
    return this.#client.request(request);
  }

  async *pieces(request: KubeRequest): AsyncGenerator<Buffer> {
    await this.before(request);
    yield* this.#client.pieces(request);
  }

  async *lines(request: LinesRequest): AsyncGenerator<unknown, void, undefined> {
    await this.#open.promise;
    const signals = [this.#cut.signal, ...(request.signal === undefined ? [] : [request.signal])];
    yield* this.#client.lines({ ...request, signal: AbortSignal.any(signals) });
  }

  /** Cuts all watches; none is opened before the answer is called. */
  cut(): () => void {
    const open = Promise.withResolvers<void>();
    this.#open = open;
    this.#cut.abort();
    this.#cut = new AbortController();
    return () => open.resolve();
  }
}
