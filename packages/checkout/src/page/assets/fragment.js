// Sends the fragment of the address (after the #), which a browser sends to no server.

const brought = location.hash.slice(1);
if (brought !== '') location.replace(`${location.pathname}?${brought}`);
