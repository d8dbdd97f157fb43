// Says moments by the clock of the payer's device: the server knows no time zone of theirs.

const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

for (const time of document.querySelectorAll('time[data-local]'))
  if (time instanceof HTMLTimeElement) time.textContent = format.format(new Date(time.dateTime));
