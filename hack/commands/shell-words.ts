/** A command line as a shell divides it: the words of each program that it starts. `text`: without a comment at its end. */
export function shellWords(line: string): Readonly<{ text: string; programs: readonly (readonly string[])[] }> {
  const programs: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  let end = line.length;
  const finish = (): void => {
    if (word !== undefined) programs.at(-1)?.push(word);
    word = undefined;
  };
  for (let index = 0; index < line.length; index++) {
    const letter = line.charAt(index);
    if (quote !== '') {
      if (letter === quote) quote = '';
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (letter === '#' && word === undefined) {
      end = index;
      break;
    } else if (/[|&;]/.test(letter)) {
      finish();
      if (programs.at(-1)?.length !== 0) programs.push([]);
    } else if (/\s/.test(letter)) finish();
    else word = (word ?? '') + letter;
  }
  finish();
  return {
    text: line.slice(0, end).trim(),
    programs: programs
      // What a program writes into a file is none of its words.
      .map((words) => (words.includes('>') ? words.slice(0, words.indexOf('>')) : words))
      .filter((words) => words.length > 0),
  };
}
