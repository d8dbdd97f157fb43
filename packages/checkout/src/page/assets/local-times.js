// Says moments in the zone of the device.

for (const time of document.querySelectorAll('time[data-local]'))
  if (time instanceof HTMLTimeElement)
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: time.dataset['local'] === 'year' ? 'numeric' : undefined,
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(new Date(time.dateTime));
