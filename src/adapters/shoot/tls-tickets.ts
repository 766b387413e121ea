import type { Instant, Millis } from '../../domain/time.ts';

/** After a certificate was checked, it is checked again by the first probe that comes so much later. Nobody waits longer for a changed trust. */
export const longestUnchecked: Millis = 3_600_000;

/** Bytes. It holds the server's certificate of 1 to 2 KB, and what the server put into the ticket. Of 2,000 shoots, 8 MiB at most. */
const largestTicket = 4_096;

export type TlsTicket = Readonly<{
  /** Secret. */
  session: Buffer;
  /** Up to then the check of the certificate holds, which this session spares. */
  until: Instant;
}>;

/** One server alone takes each ticket for as long as its process lives. Of two, any of which answers, the same one would have to so often in a row. */
const takenByOne = 10;

/**
 * Keeps the newest TLS ticket that a server gave (RFC 8446, 4.6.1) for the next probe (SPEC 4.3). Each access has its own, so no ticket
 * outlives its kubeconfig, whatever changes there: it never meets another authority, server or name. A probe takes it at its beginning, and
 * gives the next one only after all was answered. So a probe that fails leaves none.
 */
export class TlsTickets {
  #newest: TlsTicket | undefined;
  /** So many in a row were taken by who answered. */
  #takenInRow = 0;

  /** Takes the ticket out: each is used once, as RFC 8446 asks for (C.4). Undefined where there is none that still holds. */
  take(now: Instant): TlsTicket | undefined {
    const ticket = this.#newest;
    this.#newest = undefined;
    // A clock that was set back must not prolong it.
    return ticket !== undefined && now < ticket.until && ticket.until - now <= longestUnchecked ? ticket : undefined;
  }

  keep({ session, until }: TlsTicket): void {
    if (session.length > largestTicket) return;
    // Node's own buffer is a window on a pool of 64 KB, all of which would be held with it.
    const copy = Buffer.allocUnsafeSlow(session.length);
    session.copy(copy);
    this.#newest = { session: copy, until };
  }

  /** Hears whether one that was offered was taken, by a server that has answered. Returns whether it is a new process: who answered before took them all (SPEC 5.1). */
  isRefusedAnew(wasTaken: boolean): boolean {
    const tookAll = this.#takenInRow >= takenByOne;
    this.#takenInRow = wasTaken ? this.#takenInRow + 1 : 0;
    return tookAll && !wasTaken;
  }
}
