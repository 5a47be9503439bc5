/** A text of code as one line: each run of white space is one space, none at the ends. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
