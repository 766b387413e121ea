import { Subject, type Observable } from 'rxjs';
import { isOlder } from '../../domain/resource-version.ts';

/**
 * How often the seed's history went back, as after a restored backup (SPEC 6.6). All streams of a seed share one: its
 * objects have their versions from one counter, so that what one stream finds out holds for all of them.
 */
export class SeedHistory {
  readonly #wentBack = new Subject<void>();
  #timesBack = 0;

  get timesBack(): number {
    return this.#timesBack;
  }

  /** Whoever holds anything of the history before has to look again. */
  get wentBack$(): Observable<void> {
    return this.#wentBack.asObservable();
  }

  goBack(): void {
    this.#timesBack += 1;
    this.#wentBack.next();
  }
}

/**
 * Versions of objects that the seed has shown in answers to our writes and GETs, until the stream has told of them. A list
 * that was asked for later and shows less proves that the seed's history went back (SPEC 6.6). One entry an object.
 */
export class ClaimedVersions {
  readonly #claims = new Map<string, string>();

  claim(key: string, version: string): void {
    if (!isOlder(version, this.#claims.get(key))) this.#claims.set(key, version);
  }

  /** The stream has told of this version. */
  settle(key: string, version: string): void {
    if (!isOlder(version, this.#claims.get(key))) this.#claims.delete(key);
  }

  /** What holds now; a list that is asked for from here on has to reach it. */
  standing(): ReadonlyMap<string, string> {
    return new Map(this.#claims);
  }

  /** A list has answered these; what was claimed since stands. */
  answer(claims: ReadonlyMap<string, string>): void {
    for (const [key, version] of claims) if (this.#claims.get(key) === version) this.#claims.delete(key);
  }

  clear(): void {
    this.#claims.clear();
  }
}
