Feature: Changes and the changeset they belong to

  While a plan is executed its changes are recorded in the changeset that was
  started last. Report #7120 tells of two ways to miss it. A change lands in the
  previous changeset, which its owner already treats as closed. And a recorder that
  has just seen an open changeset reaches for it after it was finished.

  The suggested fix guards the list of open changesets, but neither the start
  of a changeset, which comes before it, nor the recording of a change after it.

  Scenario Outline: R4, a change in a stale changeset, <version>
    Given a plan in execution with one open changeset, <version>
    When its next changeset is started while a change is recorded, in many orders
    Then no change lands in the older changeset once the newer one is visible

    @tdd_issue @tdd_issue_7120 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_7120
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: R5, the last open changeset is finished, <version>
    Given a plan in execution with one open changeset, <version>
    When that changeset is finished while a change is recorded, in many orders
    Then the change is in that changeset, or its recorder is told that no changeset is active

    @tdd_issue @tdd_issue_7120 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_7120
    Examples: kept
      | version      |
      | as suggested |
      | ours         |
