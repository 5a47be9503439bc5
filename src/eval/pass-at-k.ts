/**
 * How likely one of k tries is right, estimated without bias from n tries of which c were.
 *
 *     1 - C(n - c, k) / C(n, k)
 *
 * Source: "Evaluating Large Language Models Trained on Code" (arXiv 2107.03374), section 2.1.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let none = 1;
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i;
  return 1 - none;
}
