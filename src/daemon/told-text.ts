/** Whether a document has a text. Of an emptied one Neovim tells the line end that a buffer cannot be without. */
export const isText = (told: string, text: string): boolean => told === text || (text === '' && /^\r?\n$/u.test(told));
