import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { readServedDate, type ServedDate } from '../../domain/prober/node-lease.ts';
import type { Instant } from '../../domain/time.ts';
import { ProbeFailed, garbled } from '../reading/probe-failed.ts';
import { readingShare, type ReadingShare, type ReadingShareOptions } from '../reading/reading-share.ts';
import { headBytes, mostEarlyAnswers, refusalBytes } from '../reading/shoot-limits.ts';
import type { LateAnswer, RecallingLookup } from './joined-lookup.ts';
import { connectionFailure, refusal } from './shoot-failure.ts';
import { freshTls, type FreshTls, type FreshTlsOptions } from './fresh-tls.ts';
import { BoundedBytes } from '../reading/bounded-bytes.ts';

export type ShootConnection = Readonly<{
  /**
   * GETs a path below the server's, and passes the body of a 2xx answer to `take` piece by piece. Rejects with ProbeFailed,
   * because of the answer, the connection or a limit, or because `take` threw it. One at a time. Returns the answer's `Date`,
   * where there is a readable one.
   */
  get(path: string, take: (chunk: Buffer) => void): Promise<ServedDate | undefined>;
  /** Whether another process of its server answered the probe before, as far as TLS tells. Asked once, when all was answered. */
  serverIsNew(): boolean;
  /** Sets how much may be received and read from now on, over all requests. Before the first call it is nothing. */
  allow(mostBytes: number): void;
  /** Ends everything at once, and keeps nothing of it. A request that is under way or comes later rejects with `why`. */
  cut(why: ProbeFailed): void;
  /** The same once everything was answered. The next connection over the same access may resume its TLS session. */
  close(): void;
}>;

/** Begins a connection to a shoot: over TLS, or in memory where a whole seed is simulated. */
export type Connect = (options: ShootConnectionOptions) => ShootConnection;

export type ShootConnectionOptions = Omit<FreshTlsOptions, 'lookup'> &
  Pick<ReadingShareOptions, 'turn'> &
  Readonly<{
    lookup: RecallingLookup;
    /** Called for each request with the status, or with the reason why there is none. */
    onRequest: (seen: Readonly<{ code: string }>) => void;
  }>;

const over = new ProbeFailed({ reason: 'timeout', detail: 'the probe is over' });

/**
 * The connection of one probe (SPEC 4.3). Nothing of an earlier one is used but its TLS ticket, and the server's address while its name's look-up is slow. Where
 * nothing answers there, or the look-up tells of another place before something does, it begins once more with what the look-up tells.
 * Requests go one after the other over the
 * same connection. If the server closed it after a complete answer, a new one is opened.
 *
 * It uses Node's own HTTP client and not undici's. For a handshake and two requests both cost nearly the same, within a twentieth. But
 * here every received byte can be counted, also those of endless headers and chunk marks, and no timer runs but the probe's.
 */
export function shootConnection(options: ShootConnectionOptions): ShootConnection {
  const { access, now, onRequest } = options;
  const { server, token } = access.credentials;
  const host = `${isIP(server.host) === 6 ? `[${server.host}]` : server.host}:${server.port}`;
  const headers = {
    host,
    accept: 'application/json',
    // An Agent would say so too. For two requests over one connection it costs a twentieth of the probe.
    connection: 'keep-alive',
    'user-agent': 'dependency-watchdog',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  let share = shareOf(0);
  let ended: ProbeFailed | undefined;
  let underWay: ClientRequest | undefined;
  /** The socket of the last complete answer. Its server may close it just as we use it again. */
  let proven: unknown;

  let tls: FreshTls | undefined;
  /** It was sought where the name led last time: what its look-up tells. */
  let late: Promise<LateAnswer> | undefined;
  let isSoughtAnew = false;

  /** What the look-up tells after all counts, where nobody has answered yet. */
  const lookup: LookupFunction = (name, how, found) => {
    if (late !== undefined && isSoughtAnew) return void late.then(({ answer }) => found(...answer));
    options.lookup(name, how, found, (told) => {
      late = told;
      const began = tls?.socket;
      void told.then(({ isElsewhere }) => {
        if (isElsewhere && began?.authorized === false) began.destroy(new Error('the name leads elsewhere'));
      });
    });
  };

  /** The connection, where it still is one, or else a new one. */
  function socket(): TLSSocket {
    if (tls?.socket.writable === true) return tls.socket;
    tls = freshTls({ ...options, lookup });
    tls.socket.on('data', (chunk: Buffer) => {
      try {
        share.receive(chunk.length);
      } catch (error) {
        cut(connectionFailure(error, host, false));
      }
    });
    // Between two requests nobody else listens.
    return tls.socket.on('error', () => undefined);
  }

  function shareOf(mostBytes: number): ReadingShare {
    return readingShare({ whose: host, mostBytes, turn: options.turn });
  }

  function cut(why: ProbeFailed): void {
    ended ??= why;
    underWay?.destroy();
    tls?.socket.destroy();
  }

  function close(): void {
    const ticket = tls?.ticket();
    if (ticket !== undefined) access.tickets.keep(ticket);
    cut(over);
  }

  async function get(path: string, take: (chunk: Buffer) => void): Promise<ServedDate | undefined> {
    for (;;) {
      if (ended !== undefined) throw ended;
      const request = httpRequest({
        createConnection: socket,
        host: server.host,
        port: server.port,
        path: server.prefix + path,
        headers,
        maxHeaderSize: headBytes,
      });
      underWay = request;
      const sentAt = now();
      let receivedAt: Instant | undefined;
      request.once('response', () => {
        receivedAt = now();
      });
      try {
        const answer = await exchange({
          request,
          take: (chunk) => share.read(chunk, take),
          refuse: (refused, body) => refusal(refused, body, now(), token ?? ''),
        });
        onRequest({ code: String(answer.statusCode) });
        proven = request.socket;
        return readServedDate(answer.headers.date, sentAt, receivedAt ?? now());
      } catch (error) {
        const stale = receivedAt === undefined && request.socket !== null && request.socket === proven;
        const misled = late !== undefined && !isSoughtAnew && proven === undefined && receivedAt === undefined;
        if (ended === undefined && (stale || misled)) {
          isSoughtAnew ||= misled;
          continue;
        }
        const failed =
          error instanceof ProbeFailed
            ? error
            : (ended ?? connectionFailure(error, host, isUnverified(request.socket), access.skipped));
        onRequest({ code: failed.status === 0 ? failed.failure.reason : String(failed.status) });
        throw failed;
      }
    }
  }

  function allow(mostBytes: number): void {
    share = shareOf(mostBytes);
  }

  return { get, serverIsNew: () => tls?.serverIsNew() === true, allow, cut, close };
}

function isUnverified(socket: unknown): boolean {
  return socket instanceof TLSSocket && Boolean(socket.authorizationError);
}

type Exchange = Readonly<{
  request: ClientRequest;
  /** Gets the body of a 2xx answer piece by piece. If it throws, the exchange ends. If it returns a promise, the next piece comes after that resolves. */
  take: (chunk: Buffer) => Promise<void> | undefined;
  /** Makes an error of any other answer, and of as much of its body as came. */
  refuse: (answer: IncomingMessage, body: string) => Error;
}>;

/** Sends the request and reads its answer to the end. Resolves with the head of a 2xx; rejects with the error that ended it. */
function exchange({ request, take, refuse }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Once an answer has begun that is no success, that answer counts, however it ends.
    let refusal: (() => Error) | undefined;
    let complete: IncomingMessage | undefined;
    const end = (error?: unknown): void => {
      if (complete !== undefined) resolve(complete);
      else reject(refusal === undefined ? error : refusal());
      request.destroy();
    };

    let early = 0;
    request.on('information', () => {
      early++;
      if (early > mostEarlyAnswers) end(garbled('only early answers came'));
    });
    request.on('error', end);
    // A complete answer waits for this, too: it may be there before the request is known to be sent, which still holds the connection then.
    request.on('close', () => end(new Error('the connection was closed')));
    request.on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        const body = new BoundedBytes(refusalBytes, 'a refusal');
        refusal = () => refuse(answer, body.take());
        answer.on('data', (chunk: Buffer) => {
          body.add(chunk, 0, Math.min(chunk.length, refusalBytes - body.length));
          if (body.length === refusalBytes) end();
        });
        answer.on('error', end);
        answer.on('end', end);
        return;
      }
      if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
        end(garbled('the answer is encoded, which was not asked for'));
        return;
      }
      answer.on('data', (chunk: Buffer) => {
        try {
          const turn = take(chunk);
          if (turn === undefined) return;
          answer.pause();
          void turn.then(() => answer.resume());
        } catch (error) {
          end(error);
        }
      });
      answer.on('error', end);
      answer.on('end', () => {
        complete = answer;
      });
    });
    request.end();
  });
}
