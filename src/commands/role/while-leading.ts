import { NEVER, Observable, switchMap } from 'rxjs';

/**
 * Acts while `leads$` says so. A standby only follows `present$`, which keeps the watches open, so that it knows the seed
 * when it takes over. `act` gets the latest value, undefined before the first.
 */
export function whileLeading<Present, OwnTurn>(
  leads$: Observable<boolean>,
  present$: Observable<Present>,
  act: (followed: Present | undefined) => Observable<OwnTurn>,
): Observable<OwnTurn> {
  return new Observable((turns) => {
    let present: Present | undefined;
    const following = present$.subscribe((now) => (present = now));
    const acting = leads$.pipe(switchMap((leads) => (leads ? act(present) : NEVER))).subscribe(turns);
    return () => {
      acting.unsubscribe();
      following.unsubscribe();
    };
  });
}
