/** Two small libraries with well-known names, in Python and TypeScript, to plan with. */
export const LIBRARY: Readonly<Record<string, string>> = {
  'report.py': `"""Reports of sales."""


class Report:
    """A report with rows and a title."""

    def __init__(self, title):
        self.title = title
        self.rows = []

    def add_row(self, row):
        """Adds a row of cells to the report."""
        self.rows.append(row)

    def sort_rows(self, column):
        """Sorts the rows by a column."""
        self.rows.sort(key=lambda row: row[column])

    async def fetch_rows(self, source):
        """Reads rows from a source over the network."""
        return await source.read()


def load_report(path):
    """Loads a report from a file."""
    return Report(path)
`,
  'pages.py': `"""Pages for browsers."""
from report import Report


class PageTheme:
    """Colours and fonts of a page."""

    class Palette:
        """Colours by name."""

        def darken(self, amount):
            return amount


def render_page(report: Report, theme: PageTheme):
    """Renders a report as a page of HTML."""
    return report.title


def write_page(page, path):
    """Writes a page to a file."""
    open(path, "w").write(page)
`,
  'mail.ts': `/** Sends a message to a list of people by mail. */
export function sendMail(people: string[], message: string): void {}

/** A queue of messages that are still to be sent. */
export class MailQueue {
  private readonly waiting: string[] = [];

  /** Puts a message at the end of the queue. */
  enqueue(message: string): void {
    this.waiting.push(message);
  }

  /** Sends all messages of the queue. */
  flush(): void {}
}
`,
  'test_report.py': `from report import Report, load_report


def test_load_report():
    assert load_report("x").title == "x"
`,
  'login_secret.py': 'def render_login_page():\n    return 7\n',
};
