/**
 * Where lines go to: standard output, or standard error (SPEC 11.1). It is offered bytes, and never waits for whoever reads them. `taken` is called later, never within
 * `write`, with what went wrong or with the number of bytes that were taken, at least one. No second write may come before that.
 */
export type Output = Readonly<{
  write(bytes: Buffer, taken: (error: Error | null, written: number) => void): void;
}>;
