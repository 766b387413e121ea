import { Subject, type Observable } from 'rxjs';

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
