import type { ProbeFailed } from 'dependency-watchdog/adapters/reading/probe-failed.ts';
import { readingShare } from 'dependency-watchdog/adapters/reading/reading-share.ts';
import { headBytes } from 'dependency-watchdog/adapters/reading/shoot-limits.ts';
import type { Connect } from 'dependency-watchdog/adapters/shoot/shoot-connection.ts';
import { longestUnchecked } from 'dependency-watchdog/adapters/shoot/tls-tickets.ts';
import { connectionFailure, refusal } from 'dependency-watchdog/adapters/shoot/shoot-failure.ts';
import { readServedDate, type ServedDate } from 'dependency-watchdog/domain/prober/node-lease.ts';
import { MemoryDispatcher, type Carry } from '@dwd/simulator/memory/memory-dispatcher.ts';

/** Connections of which somebody hears that they were given up. */
export class CountedPool extends MemoryDispatcher {
  readonly #givenUp: () => void;
  #isOpen = true;

  constructor(carry: Carry, givenUp: () => void) {
    super(carry);
    this.#givenUp = givenUp;
  }

  override async close(): Promise<void> {
    this.#end();
    await super.close();
  }

  override async destroy(error?: unknown): Promise<void> {
    this.#end();
    await super.destroy(error);
  }

  #end(): void {
    if (this.#isOpen) this.#givenUp();
    this.#isOpen = false;
  }
}

const nothing = (): void => undefined;

/** The connection of one probe, to a shoot's API server in memory: the same contract as over TLS. `carryTo` takes the server's origin. */
export function memoryConnect(carryTo: (origin: string) => Carry): Connect {
  return ({ access, now, onRequest, turn }) => {
    const { server, token } = access.credentials;
    const host = `${server.host}:${server.port}`;
    const carry = carryTo(`https://${host}`);
    const shareOf = (mostBytes: number) => readingShare({ whose: host, mostBytes, turn });
    let share = shareOf(0);
    let ended: ProbeFailed | undefined;
    let cutUnderWay: (why: ProbeFailed) => void = nothing;
    const offered = access.tickets.take(now());
    let ticket = Buffer.of();

    function get(path: string, take: (chunk: Buffer) => void): Promise<ServedDate | undefined> {
      return new Promise((resolve, reject) => {
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const sentAt = now();
        let receivedAt = sentAt;
        let status = 0;
        let headers: Readonly<Record<string, string>> = {};
        let refused = '';
        let reading: Promise<void> | undefined;
        const fail = (error: unknown): void => {
          const failed = ended ?? connectionFailure(error, host, false);
          onRequest({ code: failed.status === 0 ? failed.failure.reason : String(failed.status) });
          reject(failed);
        };
        let leave = nothing;
        cutUnderWay = (why) => {
          leave();
          fail(why);
        };
        leave = carry(
          {
            method: 'GET',
            url: server.prefix + path,
            headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
          },
          {
            sent: () => undefined,
            head(code, sent) {
              receivedAt = now();
              status = code;
              headers = sent;
              share.receive(Math.min(headBytes, 300));
            },
            data(chunk) {
              if (status < 200 || status > 299) return void (refused += chunk.toString());
              try {
                share.receive(chunk.length);
                reading = share.read(chunk, take);
              } catch (error) {
                leave();
                fail(error);
              }
            },
            end() {
              if (status < 200 || status > 299)
                return fail(refusal({ statusCode: status, headers }, refused, now(), token ?? ''));
              onRequest({ code: String(status) });
              ticket = Buffer.from(headers['process'] ?? '');
              const served = readServedDate(headers['date'], sentAt, receivedAt);
              if (reading === undefined) resolve(served);
              else void reading.then(() => resolve(served));
            },
            fail,
          },
        );
      });
    }

    return {
      get,
      serverIsNew: () => offered !== undefined && access.tickets.isRefusedAnew(offered.session.equals(ticket)),
      allow(mostBytes) {
        share = shareOf(mostBytes);
      },
      cut(why) {
        ended ??= why;
        cutUnderWay(ended);
      },
      close: () =>
        access.tickets.keep({
          session: ticket,
          until: offered?.session.equals(ticket) === true ? offered.until : now() + longestUnchecked,
        }),
    };
  };
}
