import { Agent, request, type Dispatcher } from 'undici';

// Bodies are looked into freely: what is not there fails the test that expects it.
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

export type WireAnswer = Readonly<{
  code: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Loose;
  text: string;
}>;
export type WatchEvent = Readonly<{ type: string; object: Loose }>;

export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';

/** Plain HTTP to an API server: no client of Kubernetes stands between a test and the wire. */
export class Wire {
  readonly url: string;
  readonly agent: Dispatcher;
  token: string;
  accept = 'application/json';

  /** At most so many connections at once; any number unless told. `agent` is the way to a server that is on no wire. */
  constructor(
    server: Readonly<{ url: string; ca: string; token: string }>,
    connections: number | null = null,
    agent: Dispatcher = new Agent({ connect: { ca: server.ca }, allowH2: false, connections }),
  ) {
    this.url = server.url;
    this.token = server.token;
    this.agent = agent;
  }

  get(path: string): Promise<WireAnswer> {
    return this.call('GET', path);
  }

  patch(path: string, body: unknown, type = mergePatch): Promise<WireAnswer> {
    return this.call('PATCH', path, body, type);
  }

  async call(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<WireAnswer> {
    const answer = await this.#send(method, path, body, type);
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { code: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : undefined, text };
  }

  /** The events of a watch, one by one. */
  async watch(path: string): Promise<WatchStream> {
    const answer = await this.#send('GET', path);
    return new WatchStream(answer);
  }

  /** The bytes of an answer as they come. */
  async stream(path: string): Promise<AsyncIterable<Buffer>> {
    return (await this.#send('GET', path)).body;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  #send(method: Dispatcher.HttpMethod, path: string, body?: unknown, type?: string): Promise<Dispatcher.ResponseData> {
    return request(this.url + path, {
      method,
      dispatcher: this.agent,
      headers: {
        accept: this.accept,
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined || type === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

export class WatchStream {
  readonly code: number;
  readonly #lines: AsyncGenerator<string>;
  readonly #answer: Dispatcher.ResponseData;

  constructor(answer: Dispatcher.ResponseData) {
    this.#answer = answer;
    this.code = answer.statusCode;
    this.#lines = linesOf(answer.body);
  }

  /** The next event; undefined when the server ended the watch. */
  async next(): Promise<WatchEvent | undefined> {
    const { done, value } = await this.#lines.next();
    return done === true ? undefined : (JSON.parse(value) as WatchEvent);
  }

  /** Type and name of the next `count` events. */
  async take(count: number): Promise<string[]> {
    const told: string[] = [];
    while (told.length < count) {
      const event = await this.next();
      if (event === undefined) break;
      told.push(`${event.type} ${event.object.metadata.name ?? ''}`.trim());
    }
    return told;
  }

  /** All that comes until the server ends it. */
  async rest(): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  cut(): void {
    // What is cut by ourselves ends with an error of ours.
    this.#answer.body.on('error', () => undefined);
    this.#answer.body.destroy();
  }
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
