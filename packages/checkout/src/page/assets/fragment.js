// Brings what stands behind the # of the address, which a browser sends to no server.

const brought = location.hash.slice(1);
if (brought !== '') location.replace(`${location.pathname}?${brought}`);
