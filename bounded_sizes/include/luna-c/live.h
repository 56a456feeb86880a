#error "luna-c/live.h was renamed to luna-c/bounded_sizes.h, luna_live_… to \
luna_valid_…"
