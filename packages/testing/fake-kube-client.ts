import type { KubeClient, KubeRequest } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { KubeError } from 'dependency-watchdog/adapters/kube/kube-error.ts';

/** A seed that answers by a function; the client throws what the function throws. It keeps the requests. */
export class FakeKubeClient implements KubeClient {
  readonly asked: KubeRequest[] = [];
  answer: (request: KubeRequest) => unknown;

  constructor(answer: (request: KubeRequest) => unknown) {
    this.answer = answer;
  }

  async request(request: KubeRequest): Promise<unknown> {
    this.asked.push(request);
    return this.answer(request);
  }

  async *pieces(request: KubeRequest): AsyncGenerator<Buffer> {
    const body = Buffer.from(JSON.stringify(await this.request(request)));
    for (let start = 0; start < body.length; start += 65_536) yield body.subarray(start, start + 65_536);
  }

  lines(): AsyncIterable<unknown> {
    throw new Error('nobody watches here');
  }
}

/** A server's refusal: a KubeError of kind `status`. */
export function refusal(status: number, reason = ''): KubeError {
  return new KubeError('status', `was answered ${status} ${reason}`.trim(), { status, reason });
}
