// Tells the page that frames this one how high it is, so that the merchant can make the frame as high.

const listed = document.body.dataset['frameOrigins']?.split(' ') ?? [];
// A message to another origin is not delivered; where the browser names the parent's, it is sent to that one alone.
const parents =
  'ancestorOrigins' in location ? listed.filter((origin) => origin === location.ancestorOrigins[0]) : listed;
let last = 0;

function tell() {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  if (height === last) return;
  last = height;
  for (const origin of parents) parent.postMessage({ type: 'railyard:height', height }, origin);
}

if (window.self !== window.top) new ResizeObserver(tell).observe(document.body);
