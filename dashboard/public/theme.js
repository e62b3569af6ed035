// Before the first paint, so that a chosen theme does not flash up as the other one. A file, because the policy takes no inline script.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system";
document.documentElement.dataset.density = localStorage.getItem("density") ?? "comfortable";
