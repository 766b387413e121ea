import type { Agenda } from '../store/agenda.ts';
import type { Fate, StruckFault, WatchFate } from './fate.ts';
import type { WatchSink } from '../api/watch-sink.ts';
import type { Reply } from '../api/reply.ts';
import type { MemoryApiServer, MemoryRequest, Reception } from './memory-api-server.ts';
import { memorySink } from './memory-sink.ts';

/** The client's side of one request. */
export type Receiver = Readonly<{
  /** Called in the moment in which the request is sent. Where it throws, it is not. */
  sent(): void;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  data(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}>;

export type Carried = Readonly<{
  server: MemoryApiServer;
  request: MemoryRequest;
  fate: Fate;
  /** Asked where the server opens a watch, and only there. */
  watch: () => WatchFate;
  /** Told of each fault in the moment in which it strikes. */
  struck: (fault: StruckFault) => void;
  agenda: Agenda;
  /** Runs what happens on the client's side; never, where its process is no more. */
  deliver: (task: () => void) => void;
  receiver: Receiver;
}>;

const nothing = (): void => undefined;

/** Carries a request to its server and the answer back. Returns how the client leaves it: what was sent may still be carried out. */
export function carry({ server, request, fate, watch, struck, agenda, deliver, receiver }: Carried): () => void {
  let left = false;
  let uncut = nothing;
  const atClient = (task: () => void): void =>
    deliver(() => {
      if (!left) task();
    });
  const leave = (): void => {
    left = true;
    uncut();
  };
  const fail = (code: string, message: string): void =>
    atClient(() => {
      leave();
      receiver.fail(Object.assign(new Error(message), { code }));
    });
  const reset = (): void => fail('ECONNRESET', 'read ECONNRESET');
  const refuse = (code = 'ECONNREFUSED'): void => fail(code, `connect ${code}`);
  const down = (then: () => void): void => {
    struck('server down');
    then();
  };

  const answer = ({ status, headers, body }: Reply): void => {
    const { kind } = fate.end;
    const isCut = kind === 'truncated';
    const bytes = Buffer.from(kind === 'garbled' ? '<html>a gateway says hello</html>' : body);
    atClient(() => {
      if (isCut || kind === 'garbled') struck(kind);
      receiver.head(status, headers);
      receiver.data(isCut ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes);
      if (isCut) return reset();
      leave();
      receiver.end();
    });
  };

  const arrive = (sentAt: number): void => {
    const { end } = fate;
    if (!server.isUp) return down(reset);
    let hangUp = nothing;
    const open = (): WatchSink => {
      const opened = memorySink({ server, fate: watch(), struck, agenda, atClient, receiver, reset, leave });
      hangUp = opened.leave;
      return opened.sink;
    };
    const receive = (): Reception => server.receive(request, sentAt, open, struck);
    const reception = receive();
    const back = (task: () => void): void => void agenda.after(fate.back, task);
    if (end.kind === 'unanswered') {
      struck('unanswered');
      hangUp();
      if (end.reset) back(reset);
      return;
    }
    if (reception === 'silence') return;
    if (reception === 'cut') return back(reset);
    // Nobody on the way asks a second time for what has begun to be answered.
    if (reception === 'watch') return void (uncut = merged(uncut, hangUp));
    if (end.kind === 'doubled')
      agenda.after(end.after, () => {
        if (!server.isUp) return;
        struck('doubled');
        receive();
      });
    back(() => answer(reception));
  };

  agenda.after(fate.connect, () => {
    atClient(() => {
      const { end } = fate;
      if (end.kind === 'refused') {
        struck(fate.by ?? 'refused');
        return refuse(end.code);
      }
      if (!server.isUp) return down(() => refuse());
      try {
        receiver.sent();
      } catch (error) {
        leave();
        return receiver.fail(error as Error);
      }
      const sentAt = agenda.clock.now();
      uncut = server.onCut(reset);
      // From now on whoever asks is late.
      if (fate.isSlow === true) struck(fate.by ?? 'slow');
      const later = (task: () => void): void => void agenda.after(fate.there, task);
      if (end.kind === 'status' || end.kind === 'lost') struck(fate.by ?? end.kind);
      if (end.kind === 'status') return later(() => answer(refused(end.code, end.retryAfterSeconds)));
      if (end.kind !== 'lost') return later(() => arrive(sentAt));
      if (end.reset) later(reset);
    });
  });
  return leave;
}

function merged(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}

function refused(code: number, retryAfterSeconds: number | undefined): Reply {
  const message = `refused with ${code} on the way`;
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code });
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { status: code, headers: { 'content-type': 'application/json', ...wait }, body };
}
