import type { Dispatcher } from 'undici';
import BareDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import type { Receiver } from './carry.ts';
import type { MemoryRequest } from './memory-api-server.ts';

/** Carries a request, by the way that its process has to the server. */
export type Carry = (request: MemoryRequest, receiver: Receiver) => () => void;

const nothing = (): void => undefined;

/** undici's dispatcher over servers in memory: what is above it is the program's own client. */
export class MemoryDispatcher extends BareDispatcher {
  readonly #carry: Carry;
  readonly #underWay = new Set<(error: Error) => void>();
  #isDestroyed = false;

  constructor(carryOut: Carry) {
    super();
    this.#carry = carryOut;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#isDestroyed) {
      handler.onResponseError?.(idle, new Error('the connections are closed'));
      return false;
    }
    let leave = nothing;
    let isOver = false;
    let reason: Error | null = null;
    const end = (): void => {
      isOver = true;
      this.#underWay.delete(abort);
    };
    const abort = (error: Error): void => {
      if (isOver) return;
      reason = error;
      end();
      leave();
      handler.onResponseError?.(controller, error);
    };
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return reason !== null;
      },
      get reason() {
        return reason;
      },
      // Nothing is as fast as a reader in memory, so it need not wait for him.
      paused: false,
      pause: () => undefined,
      resume: () => undefined,
      abort,
    };
    this.#underWay.add(abort);
    leave = this.#carry(requestOf(options), {
      sent: () => handler.onRequestStart?.(controller, {}),
      head: (status, headers) => void (isOver || handler.onResponseStart?.(controller, status, { ...headers }, '')),
      data: (chunk) => void (isOver || handler.onResponseData?.(controller, chunk)),
      end() {
        if (isOver) return;
        end();
        handler.onResponseEnd?.(controller, {});
      },
      fail(error) {
        if (isOver) return;
        end();
        handler.onResponseError?.(controller, error);
      },
    });
    if (reason !== null) leave();
    return true;
  }

  override async close(): Promise<void> {
    this.#isDestroyed = true;
  }

  override async destroy(error: unknown = new Error('the connections are closed')): Promise<void> {
    this.#isDestroyed = true;
    for (const abort of this.#underWay) abort(error as Error);
  }
}

const idle: Dispatcher.DispatchController = {
  aborted: false,
  reason: null,
  paused: false,
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
};

function requestOf({ method, path, query, headers, body }: Dispatcher.DispatchOptions): MemoryRequest {
  const search = query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>).toString()}`;
  const named = Object.entries((headers ?? {}) as Record<string, string>);
  return {
    method,
    url: `${path}${search}`,
    headers: Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value])),
    body: typeof body === 'string' ? body : undefined,
  };
}
